#include "serve.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "command.h"
#include "files.h"

namespace fs = std::filesystem;

namespace reeve::command {
namespace {

constexpr std::size_t longestRequest = 16384, mostConnections = 64;
constexpr double patience = 20.0;  ///< s that a connection may stay without a whole request

double secondsNow() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

int hexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string typeOf(const fs::path& file) {
  static const std::map<std::string, std::string> types{{".html", "text/html; charset=utf-8"},
                                                        {".js", "text/javascript; charset=utf-8"},
                                                        {".css", "text/css; charset=utf-8"},
                                                        {".json", "application/json"},
                                                        {".svg", "image/svg+xml"},
                                                        {".wasm", "application/wasm"},
                                                        {".png", "image/png"},
                                                        {".txt", "text/plain; charset=utf-8"}};
  const auto found = types.find(file.extension().string());
  return found == types.end() ? "application/octet-stream" : found->second;
}

const char* reasonOf(int status) {
  switch (status) {
    case 200:
      return "OK";
    case 400:
      return "Bad Request";
    case 403:
      return "Forbidden";
    case 404:
      return "Not Found";
    default:
      return "Method Not Allowed";
  }
}

/// The value of a header of a request, without spaces around it.
std::string headerOf(std::string_view request, std::string_view name) {
  while (!request.empty()) {
    const std::size_t end = request.find("\r\n");
    const std::string_view line = request.substr(0, end);
    request.remove_prefix(end == std::string_view::npos ? request.size() : end + 2);
    if (line.size() <= name.size() || line[name.size()] != ':') continue;
    const bool same = std::equal(name.begin(), name.end(), line.begin(),
                                 [](char a, char b) { return std::tolower(a) == std::tolower(b); });
    if (!same) continue;
    std::string_view value = line.substr(name.size() + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    while (value.ends_with(' ')) value.remove_suffix(1);
    return std::string(value);
  }
  return "";
}

}  // namespace

std::optional<std::string> decodedPath(std::string_view target) {
  target = target.substr(0, target.find_first_of("?#"));
  if (!target.starts_with('/')) return std::nullopt;
  std::string path;
  for (std::size_t i = 0; i < target.size(); ++i) {
    char c = target[i];
    if (c == '%') {
      const int high = i + 2 < target.size() ? hexDigit(target[i + 1]) : -1;
      const int low = i + 2 < target.size() ? hexDigit(target[i + 2]) : -1;
      if (high < 0 || low < 0) return std::nullopt;
      c = static_cast<char>(16 * high + low);
      i += 2;
    }
    if (static_cast<unsigned char>(c) < 32 || c == '\\') return std::nullopt;
    path += c;
  }
  return path;
}

std::optional<fs::path> fileUnder(const fs::path& folder, const std::string& path) {
  std::error_code error;
  const fs::path root = fs::canonical(folder, error);
  if (error) return std::nullopt;
  const fs::path file = fs::canonical(root / fs::path(path == "/" ? "/index.html" : path).relative_path(), error);
  if (error || !fs::is_regular_file(file, error)) return std::nullopt;
  const auto [end, rest] = std::mismatch(root.begin(), root.end(), file.begin(), file.end());
  return end == root.end() ? std::optional(file) : std::nullopt;
}

Server::Server(int port, fs::path folder, Answerer answer) : folder_(std::move(folder)), answer_(std::move(answer)) {
  listener_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const int on = 1;
  ::setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  auto* generic = reinterpret_cast<sockaddr*>(&address);
  socklen_t size = sizeof address;
  if (listener_ < 0 || ::bind(listener_, generic, size) != 0 || ::listen(listener_, 32) != 0) {
    const std::string reason = std::strerror(errno);
    if (listener_ >= 0) ::close(listener_);
    throw Failure(badInput, fmt::format("cannot listen on 127.0.0.1:{}: {}\nhelp: give --port another number, or none",
                                        port, reason));
  }
  ::getsockname(listener_, generic, &size);
  port_ = ntohs(address.sin_port);
}

Server::~Server() {
  for (const Connection& connection : connections_) ::close(connection.socket);
  ::close(listener_);
}

void Server::run(const std::function<bool()>& stop) {
  while (!stop()) {
    std::vector<pollfd> waiting{{listener_, POLLIN, 0}};
    for (const Connection& connection : connections_) waiting.push_back({connection.socket, POLLIN, 0});
    if (::poll(waiting.data(), waiting.size(), 500) < 0) continue;
    const double now = secondsNow();
    for (std::size_t i = connections_.size(); i-- > 0;) {
      const bool heard = waiting[i + 1].revents != 0;
      const bool goesOn = heard ? read(connections_[i]) : now - connections_[i].since < patience;
      if (goesOn) continue;
      ::close(connections_[i].socket);
      connections_.erase(connections_.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (waiting[0].revents != 0) accept();
  }
}

void Server::accept() {
  const int socket = ::accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
  if (socket < 0) return;
  if (connections_.size() >= mostConnections) {
    ::close(socket);
    return;
  }
  const timeval patient{5, 0};
  ::setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &patient, sizeof patient);
  connections_.push_back({socket, {}, secondsNow()});
}

bool Server::read(Connection& connection) {
  std::array<char, 4096> buffer;
  const ssize_t got = ::recv(connection.socket, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (got < 0) return errno == EAGAIN || errno == EINTR;
  if (got == 0) return false;
  connection.received.append(buffer.data(), static_cast<std::size_t>(got));
  const std::size_t end = connection.received.find("\r\n\r\n");
  if (end == std::string::npos) return connection.received.size() < longestRequest;
  const std::string_view request = std::string_view(connection.received).substr(0, end + 2);
  send(connection.socket, reply(request), !request.starts_with("HEAD "));
  return false;
}

Reply Server::reply(std::string_view request) const {
  const std::string_view line = request.substr(0, request.find("\r\n"));
  const std::size_t first = line.find(' '), last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) return {400, "text/plain", "bad request\n", {}};
  const std::string_view method = line.substr(0, first);
  if (method != "GET" && method != "HEAD") return {405, "text/plain", "only GET and HEAD\n", {{"allow", "GET, HEAD"}}};
  // Another site's name may point here; its pages must not read what this serves.
  const std::string host = headerOf(request, "host");
  if (host != fmt::format("127.0.0.1:{}", port_) && host != fmt::format("localhost:{}", port_))
    return {403, "text/plain", "this server is for 127.0.0.1 and localhost\n", {}};
  const auto path = decodedPath(line.substr(first + 1, last - first - 1));
  if (!path) return {400, "text/plain", "bad path\n", {}};
  if (auto own = answer_(*path)) return std::move(*own);
  const auto file = fileUnder(folder_, *path);
  if (!file) return {404, "text/plain", "not found\n", {}};
  return {200, typeOf(*file), readText(file->string()), {}};
}

void Server::send(int socket, const Reply& reply, bool withBody) const {
  std::string text = fmt::format("HTTP/1.1 {} {}\r\ncontent-type: {}\r\ncontent-length: {}\r\n", reply.status,
                                 reasonOf(reply.status), reply.type, reply.body.size());
  for (const auto& [name, value] : reply.headers) text += fmt::format("{}: {}\r\n", name, value);
  text += "cache-control: no-store\r\nx-content-type-options: nosniff\r\nconnection: close\r\n\r\n";
  if (withBody) text += reply.body;
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t sent = ::send(socket, text.data() + done, text.size() - done, MSG_NOSIGNAL);
    if (sent <= 0) return;
    done += static_cast<std::size_t>(sent);
  }
  ::shutdown(socket, SHUT_WR);
}

}  // namespace reeve::command
