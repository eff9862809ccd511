#include "app/cli/mcp/server.h"

#include "app/cli/mcp/answers.h"
#include "app/cli/mcp/line_decoder.h"
#include "app/cli/mcp/session.h"
#include "app/tasks/base/interruption.h"
#include "runtime/core/descriptor.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <thread>
#include <utility>

namespace et::cli::mcp {
namespace {

/// Sends messages of several threads.
class Outlet {
  public:
    void send(std::string_view json) {
        const std::scoped_lock lock(access);
        if (!isClosed && core::writeAll(STDOUT_FILENO, std::as_bytes(std::span(json))) != 0) {
            isClosed = true;
        }
    }
    /// Whether the client no longer reads.
    [[nodiscard]] static bool isGone() {
        pollfd out{.fd = STDOUT_FILENO, .events = 0, .revents = 0};
        return ::poll(&out, 1, 0) > 0 && (out.revents & (POLLERR | POLLNVAL)) != 0;
    }

  private:
    std::mutex access;
    bool isClosed = false;
};

/// Calls that wait for the thread that performs them.
class CallQueue {
  public:
    void push(std::shared_ptr<ToolCall> call) {
        const std::scoped_lock lock(access);
        waiting.push_back(std::move(call));
        changed.notify_one();
    }
    void close() {
        const std::scoped_lock lock(access);
        isClosed = true;
        changed.notify_one();
    }
    /// Waits for a call; null after close().
    [[nodiscard]] std::shared_ptr<ToolCall> pop() {
        std::unique_lock lock(access);
        changed.wait(lock, [this] { return isClosed || !waiting.empty(); });
        if (waiting.empty()) {
            return nullptr;
        }
        auto first = std::move(waiting.front());
        waiting.pop_front();
        return first;
    }

  private:
    std::mutex access;
    std::condition_variable changed;
    std::deque<std::shared_ptr<ToolCall>> waiting;
    bool isClosed = false;
};

/// Ends the client's wait for roots.
class RootsDeadline {
  public:
    void check(Session& session) {
        constexpr std::chrono::seconds patience{10};
        if (!session.awaitsRoots()) {
            since.reset();
        } else if (!since) {
            since = std::chrono::steady_clock::now();
        } else if (std::chrono::steady_clock::now() - *since > patience) {
            session.giveUpRoots();
        }
    }

  private:
    std::optional<std::chrono::steady_clock::time_point> since;
};

/// Reads messages until the end of stdin, or a signal.
void receiveMessages(Session& session, const Answers& answers) {
    constexpr std::chrono::milliseconds interval{50};
    const core::Descriptor input(::dup(STDIN_FILENO));
    LineDecoder decoder;
    RootsDeadline roots;
    std::array<char, 1 << 16> buffer{};
    while (!tasks::InterruptionGuard::requested()) {
        roots.check(session);
        if (!core::readable(input, interval)) {
            continue;
        }
        const ssize_t count = ::read(input.get(), buffer.data(), buffer.size());
        if (count <= 0) {
            return;
        }
        decoder.append({buffer.data(), static_cast<std::size_t>(count)});
        while (true) {
            const auto line = decoder.next();
            if (!line) {
                session.reportUnreadable(line.error());
            } else if (!*line) {
                break;
            } else {
                session.handle(**line, answers.stored());
            }
        }
    }
}

}  // namespace

core::Result<> serve(const std::vector<std::string>& roots, std::string version) {
    const tasks::InterruptionGuard guard;
    Outlet outlet;
    CallQueue queue;
    Answers answers(runCommand);
    Session session(
        {.roots = Roots::make(roots), .version = std::move(version)},
        [&](std::string_view json) { outlet.send(json); },
        [&](std::shared_ptr<ToolCall> call) { queue.push(std::move(call)); });
    {
        const std::jthread worker([&] {
            while (const auto call = queue.pop()) {
                session.perform(*call, answers);
            }
        });
        receiveMessages(session, answers);
        if (session.awaitsRoots()) {
            session.giveUpRoots();
        }
        queue.close();
        // A client that only closed stdin still gets its answers.
        while (session.isBusy()) {
            if (Outlet::isGone() || tasks::InterruptionGuard::requested()) {
                session.cancelAll();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    }
    return {};
}

}  // namespace et::cli::mcp
