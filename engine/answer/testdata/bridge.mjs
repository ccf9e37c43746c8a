// Serves openai-api-mock, which answers inside a Node process, over HTTP on
// loopback, so that a client in another process can ask it.
import http from 'node:http';
import https from 'node:https';
import { mockOpenAIResponse } from 'openai-api-mock';

const base = 'https://api.openai.com'; // intercepted in this process, never contacted
mockOpenAIResponse(true, { useFixedResponses: true, baseUrl: base });

http.createServer((req, res) => {
  const parts = [];
  req.on('data', (part) => parts.push(part));
  req.on('end', () => {
    const asked = https.request(base + req.url, { method: req.method, headers: { 'content-type': 'application/json' } }, (reply) => {
      res.writeHead(reply.statusCode, { 'content-type': 'application/json' });
      reply.pipe(res);
    });
    asked.on('error', (e) => {
      res.writeHead(502, { 'content-type': 'application/json' });
      res.end(JSON.stringify({ error: { message: e.message } }));
    });
    asked.end(Buffer.concat(parts));
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
