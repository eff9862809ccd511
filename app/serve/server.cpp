#include "app/serve/server.h"

#include "app/serve/connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <thread>
#include <vector>

namespace et::serve {
namespace {

using core::Result;

bool isSocket(int descriptor) {
    struct stat status{};
    return ::fstat(descriptor, &status) == 0 && S_ISSOCK(status.st_mode);
}

/// A connection with its thread.
class ServedConnection {
  public:
    ServedConnection(Channel channel, ObjectTable& table)
        : connection(std::move(channel), table), thread([this] {
              connection.serve();
              ::shutdown(connection.descriptor(), SHUT_RDWR);  // after a malformed frame, Python still waits
              ended = true;
          }) {}

    [[nodiscard]] int descriptor() const { return connection.descriptor(); }
    [[nodiscard]] bool isEnded() const { return ended; }
    [[nodiscard]] bool isClosed() const { return closed; }
    /// Ends its call, and its thread after that.
    void close() {
        closed = true;
        connection.cancel();
        ::shutdown(connection.descriptor(), SHUT_RDWR);
    }

  private:
    Connection connection;
    std::atomic<bool> ended = false;
    bool closed = false;  ///< by Python
    std::jthread thread;
};

/// Accepts connections and watches whether Python closes them.
class Server {
  public:
    explicit Server(Channel first) : control(std::move(first)) {}

    Result<> run() {
        while (true) {
            std::vector<pollfd> watched{{.fd = control.descriptor(), .events = POLLIN, .revents = 0}};
            std::vector<ServedConnection*> order;
            for (const auto& each : connections) {
                if (!each->isClosed()) {
                    watched.push_back({.fd = each->descriptor(), .events = POLLRDHUP, .revents = 0});
                    order.push_back(each.get());
                }
            }
            if (::poll(watched.data(), watched.size(), -1) < 0 && errno != EINTR) {
                return std::unexpected(core::systemError("cannot wait for calls", errno));
            }
            for (std::size_t i = 0; i < order.size(); ++i) {
                if (watched[i + 1].revents != 0) {
                    order[i]->close();
                }
            }
            std::erase_if(connections, [](const auto& each) { return each->isClosed() && each->isEnded(); });
            if (watched[0].revents != 0 && !accept()) {
                finish();
                return {};
            }
        }
    }

  private:
    /// Opens a connection; returns false if there are no more.
    bool accept() {
        auto frame = control.receive();
        if (!frame || frame->kind != FrameKind::Open || frame->descriptors.size() != 1) {
            return false;
        }
        connections.push_back(
            std::make_unique<ServedConnection>(Channel(std::move(frame->descriptors.front())), objects));
        return true;
    }

    /// Ends all calls. Those that take too long are ended by the end of the process.
    void finish() {
        constexpr std::chrono::seconds patience{2};
        constexpr std::chrono::milliseconds step{5};
        for (const auto& each : connections) {
            each->close();
        }
        const auto end = std::chrono::steady_clock::now() + patience;
        const auto isEnded = [](const auto& each) { return each->isEnded(); };
        while (!std::ranges::all_of(connections, isEnded)) {
            if (std::chrono::steady_clock::now() > end) {
                std::_Exit(EXIT_SUCCESS);
            }
            std::this_thread::sleep_for(step);
        }
    }

    Channel control;
    ObjectTable objects;
    std::vector<std::unique_ptr<ServedConnection>> connections;
};

}  // namespace

Result<> serveStandardStreams() {
    if (isSocket(STDIN_FILENO)) {
        return Server(Channel(core::Descriptor(STDIN_FILENO))).run();
    }
    ObjectTable objects;
    Connection(Channel(STDIN_FILENO, STDOUT_FILENO), objects).serve();
    return {};
}

}  // namespace et::serve
