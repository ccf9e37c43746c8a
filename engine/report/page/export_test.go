package page

// WriteAfter is Write with something that happens after it looked.
func WriteAfter(folder string, files map[string][]byte, looked func()) error {
	return write(folder, files, looked)
}
