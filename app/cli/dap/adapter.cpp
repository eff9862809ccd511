#include "app/cli/dap/adapter.h"

#include "app/cli/dap/engine_process.h"
#include "app/cli/dap/interrupter.h"
#include "app/cli/dap/message_decoder.h"
#include "app/cli/dap/session.h"
#include "app/tasks/base/interruption.h"
#include "runtime/core/descriptor.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace et::cli::dap {
namespace {

using core::ErrorCode;
using core::Result;

struct Message {
    std::string text;
    bool isPause = false;
};

/// Messages that were received but not handled yet.
class Inbox {
  public:
    /// Errors: Limit.
    [[nodiscard]] Result<> push(Message message) {
        constexpr std::size_t most = 4096;
        const std::scoped_lock lock(access);
        if (messages.size() >= most) {
            return core::fail(ErrorCode::Limit, fmt::format("more than {} requests are waiting", most));
        }
        messages.push_back(std::move(message));
        changed.notify_one();
        return {};
    }
    void close(Result<> how) {
        const std::scoped_lock lock(access);
        end = std::move(how);
        changed.notify_one();
    }
    /// Waits for a message; empty at the end of the stream. Errors: that of close().
    [[nodiscard]] Result<std::optional<Message>> pop() {
        std::unique_lock lock(access);
        changed.wait(lock, [this] { return end || !messages.empty(); });
        if (messages.empty()) {
            ET_TRY(*end);
            return std::nullopt;
        }
        Message first = std::move(messages.front());
        messages.pop_front();
        return first;
    }

  private:
    std::mutex access;
    std::condition_variable changed;
    std::deque<Message> messages;
    std::optional<Result<>> end;
};

/// Reads messages in a thread, so that "pause" and "disconnect" interrupt a running command.
class Receiver {
  public:
    Receiver(Inbox& into, Interrupter& by)
        : inbox(into), interrupter(by), input(::dup(STDIN_FILENO)), thread([this] { run(); }) {}
    ~Receiver() {
        stopped = true;
        thread.join();
    }
    Receiver(const Receiver&) = delete;
    Receiver& operator=(const Receiver&) = delete;

  private:
    void run() {
        Result<> end = receive();
        interrupter.interrupt();
        inbox.close(std::move(end));
    }

    [[nodiscard]] Result<> receive() {
        constexpr std::chrono::milliseconds interval{50};
        MessageDecoder decoder;
        std::array<char, 1 << 16> buffer{};
        while (!stopped && !tasks::InterruptionGuard::requested()) {
            if (!core::readable(input, interval)) {
                continue;
            }
            const ssize_t count = ::read(input.get(), buffer.data(), buffer.size());
            if (count <= 0) {
                return {};
            }
            decoder.append({buffer.data(), static_cast<std::size_t>(count)});
            ET_TRY(takeMessages(decoder));
        }
        return {};
    }

    [[nodiscard]] Result<> takeMessages(MessageDecoder& decoder) {
        while (true) {
            ET_ASSIGN(std::optional<std::string> text, decoder.next());
            if (!text) {
                return {};
            }
            const auto json = JsonText::parse(*text);
            const std::string command = json ? (*json)["command"].text() : std::string();
            const bool isPause = command == "pause";
            if (isPause || command == "disconnect" || command == "terminate") {
                interrupter.interrupt();
            }
            ET_TRY(inbox.push({.text = *std::move(text), .isPause = isPause}));
        }
    }

    Inbox& inbox;
    Interrupter& interrupter;
    core::Descriptor input;
    std::atomic<bool> stopped = false;
    std::thread thread;
};

void sendToClient(std::string_view json) {
    const std::string message = encodeMessage(json);
    // A client that is gone also closed stdin, which ends the session.
    std::ignore = core::writeAll(STDOUT_FILENO, std::as_bytes(std::span(message)));
}

}  // namespace

Result<> runAdapter() {
    const tasks::InterruptionGuard guard;
    Interrupter interrupter;
    Outbox* outbox = nullptr;
    const auto start = [&](const std::vector<std::string>& arguments) -> Result<std::unique_ptr<Engine>> {
        return EngineProcess::start(arguments, interrupter,
                                    [&](std::string line) { outbox->output("stderr", std::move(line)); });
    };
    Session session(start, sendToClient, [&] { return interrupter.isRequested(); });
    outbox = &session.messages();
    Inbox inbox;
    const Receiver receiver(inbox, interrupter);
    while (!session.isOver()) {
        ET_ASSIGN(const std::optional<Message> message, inbox.pop());
        if (!message) {
            break;
        }
        ET_TRY(session.handle(message->text));
        if (message->isPause) {
            interrupter.clear();
        }
    }
    return {};
}

}  // namespace et::cli::dap
