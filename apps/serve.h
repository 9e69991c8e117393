#pragma once
// A small HTTP server for one person at this machine: loopback only, GET and HEAD, one folder and what else is given.
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace reeve::command {

struct Reply {
  int status = 200;
  std::string type = "text/plain; charset=utf-8";
  std::string body;
  std::vector<std::pair<std::string, std::string>> headers;
};

/// What a path of the address (decoded, beginning with '/') answers; nothing: look into the folder.
using Answerer = std::function<std::optional<Reply>(const std::string& path)>;

/// "/a%20b?x" as "/a b"; nothing if it is no path that could be served.
std::optional<std::string> decodedPath(std::string_view target);
/// The file of a folder that a path names, index.html for "/". Nothing outside of the folder, not by .. and not by
/// links.
std::optional<std::filesystem::path> fileUnder(const std::filesystem::path& folder, const std::string& path);

/// Listens on 127.0.0.1. Port 0 takes a free one. Throws a Failure if it cannot.
class Server {
 public:
  Server(int port, std::filesystem::path folder, Answerer answer);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;
  int port() const { return port_; }
  /// Serves until stop() says so; asks it twice a second.
  void run(const std::function<bool()>& stop);

 private:
  struct Connection {
    int socket;
    std::string received;
    double since;  ///< s, when it was opened
  };
  void accept();
  /// False when the connection is done with.
  bool read(Connection& connection);
  Reply reply(std::string_view request) const;
  void send(int socket, const Reply& reply, bool withBody) const;

  std::filesystem::path folder_;
  Answerer answer_;
  int listener_ = -1;
  int port_ = 0;
  std::vector<Connection> connections_;
};

}  // namespace reeve::command
