package io.jvmtools.neighbour;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** One connection to a web server on this machine, for one request after the other. */
final class HttpClientConnection implements Closeable {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final String LENGTH = "content-length:";

  private final Socket socket;
  private final InputStream in;

  HttpClientConnection(int port) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), port);
    socket.setTcpNoDelay(true);
    socket.setSoTimeout((int) PATIENCE.toMillis());
    in = new BufferedInputStream(socket.getInputStream(), 512);
  }

  /** The body of the answer, which must be 200. */
  String get(String path) throws IOException {
    String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n";
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    String status = line();
    int length = 0;
    for (String line = line(); !line.isEmpty(); line = line()) {
      if (line.regionMatches(true, 0, LENGTH, 0, LENGTH.length())) {
        length = Integer.parseInt(line.substring(LENGTH.length()).strip());
      }
    }
    String body = new String(in.readNBytes(length), StandardCharsets.US_ASCII);
    if (!status.contains(" 200 ")) {
      throw new IOException(path + ": " + status + " " + body);
    }
    return body;
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException("The server hung up after \"" + line + "\"");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
