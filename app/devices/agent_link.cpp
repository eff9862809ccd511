#include "app/devices/agent_link.h"

#include "app/wire/tape.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <random>
#include <span>
#include <thread>
#include <utility>

namespace et::devices {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::fail;
using core::Result;
using wire::Frame;
using wire::FrameKind;

constexpr std::chrono::milliseconds linkInterval{100};
/// Maximum time for a connection to end after its pipes were closed.
constexpr std::chrono::seconds linkGrace{5};
constexpr unsigned maxFruitless = 8;
constexpr std::chrono::milliseconds firstPause{100};
/// Maximum output of a shell before the agent's greeting.
constexpr std::size_t maxBanner = std::size_t{64} << 10;
constexpr int shellSignalBase = 128;  ///< exit code of a shell whose command was killed by a signal, minus
                                      ///< the signal number
constexpr int refusedCode = 255;      ///< exit code of ssh for its own failures

/// 32 lower-case hexadecimal digits.
std::string newSessionName() {
    std::random_device random;
    std::string name;
    for (int i = 0; i < 4; ++i) {
        name += fmt::format("{:08x}", random());
    }
    return name;
}

/// Returns the signal by which the agent crashed, or 0.
int crashOf(const core::ProcessEnd& end) {
    const int signal = end.signal != 0 ? end.signal : end.code - shellSignalBase;
    constexpr std::array crashes{SIGSEGV, SIGABRT, SIGBUS, SIGILL, SIGFPE, SIGSYS};
    return std::ranges::contains(crashes, signal) ? signal : 0;
}

/// Waits for `time` or until cancelled.
void pauseFor(std::chrono::milliseconds time, const std::atomic<bool>* cancel) {
    const auto end = std::chrono::steady_clock::now() + time;
    while ((cancel == nullptr || !*cancel) && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::min(time, linkInterval));
    }
}

}  // namespace

AgentLink::AgentLink(Target what, std::vector<AgentFile> files, const std::atomic<bool>* stop)
    : device(std::move(what)), agents(std::move(files)), cancel(stop), session(newSessionName()) {
}

AgentLink::~AgentLink() {
    // Ending the session removes its folder on the device. If the device cannot be reached, the folder is
    // removed when it is old enough.
    constexpr int attempts = 3;
    for (int i = 0; i < attempts; ++i) {
        if (lost && !refused && fruitless < maxFruitless && !isCancelled()) {
            static_cast<void>(connectOnce());
        }
        if (!connection || (send(FrameKind::Bye, {}) && receive(nullptr))) {
            break;
        }
    }
    if (connection) {  // null if it was lost just now
        connection->to.close();
        connection->process.end(linkGrace);
    }
}

Result<AgentLink> AgentLink::open(const Target& target, const std::atomic<bool>* cancel) {
    ET_ASSIGN(std::vector<AgentFile> agents, agentFiles(target));
    AgentLink link(target, std::move(agents), cancel);
    ET_TRY(link.reconnect());
    return link;
}

std::unexpected<core::Error> AgentLink::gone() {
    if (isCancelled()) {
        connection.reset();
        return fail(ErrorCode::Cancelled, "cancelled");
    }
    lost = true;
    std::string why = "the connection is lost";
    if (connection) {
        connection->to.close();
        const core::ProcessEnd end = connection->process.end(linkGrace);
        const std::string words = connection->lastErrorLine();
        refused = !heard && end.code == refusedCode;
        if (const int signal = crashOf(end); signal != 0) {
            lost = false;
            connection.reset();
            return fail(ErrorCode::Unsupported, fmt::format("the agent on {} crashed with {}",
                                                            titleOf(device), core::signalText(signal)));
        }
        why += words.empty() ? fmt::format(": {}", core::endText(end)) : fmt::format(": {}", words);
        connection.reset();
    }
    return fail(ErrorCode::Io, std::move(why), {.file = titleOf(device), .field = {}, .offset = {}});
}

Result<> AgentLink::readAll(std::span<std::byte> into) {
    while (!into.empty()) {
        if (!core::readable(connection->from, linkInterval)) {
            if (isCancelled()) {
                return gone();
            }
            continue;
        }
        const ssize_t got = ::read(connection->from.get(), into.data(), into.size());
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return gone();
        }
        heard = true;
        into = into.subspan(static_cast<std::size_t>(got));
    }
    return {};
}

Result<std::string> AgentLink::readLine() {
    std::string line;
    while (line.size() < maxBanner) {
        char next = 0;
        ET_TRY(readAll(std::as_writable_bytes(std::span(&next, 1))));
        line += next;
        if (next == '\n') {
            return line;
        }
    }
    return fail(ErrorCode::Format, "expected the agent's greeting, got other data",
                {.file = titleOf(device), .field = {}, .offset = {}});
}

Result<> AgentLink::send(FrameKind kind, Bytes body) {
    if (auto sent = wire::writeFrame(connection->to.get(), kind, body); !sent) {
        return gone();
    }
    return {};
}

Result<Frame> AgentLink::receive(core::EventTracer* tracer) {
    for (;;) {
        const auto read = [this](std::span<std::byte> into) { return readAll(into); };
        ET_TRY(wire::readFrame(read, incoming));
        if (incoming.kind == FrameKind::Failed) {
            return std::unexpected(wire::decodeError(incoming.body));
        }
        if (incoming.kind != FrameKind::Query) {
            return std::exchange(incoming, {});
        }
        ET_ASSIGN(const wire::Query query, wire::decode<wire::Query>(incoming.body));
        const bool isWanted = tracer != nullptr && wire::TapePlayer::answer(query, *tracer);
        ET_TRY(send(FrameKind::Answer, wire::encode(std::uint64_t{isWanted})));
    }
}

Result<Frame> AgentLink::ask(FrameKind kind, Bytes body, core::EventTracer* tracer) {
    incoming = {};
    if (!connection) {
        return gone();
    }
    ET_TRY(send(kind, body));
    return receive(tracer);
}

/// Uploads the agent, resuming a previous upload at `from`.
Result<> AgentLink::upload(const AgentFile& agent, std::uint64_t from) {
    const Bytes all = agent.file->bytes();
    ET_ASSIGN(Connection opened, connect(device, uploadLine(device, agent, session)));
    connection = std::make_unique<Connection>(std::move(opened));
    Bytes rest = all.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(from, all.size())));
    if (from > uploaded) {
        uploaded = from;
        fruitless = 0;
    }
    while (!rest.empty()) {
        const Bytes piece = rest.first(std::min(rest.size(), wire::pieceBytes));
        if (isCancelled() || core::writeAll(connection->to.get(), piece) != 0) {
            return gone();
        }
        counted.sentBytes += piece.size();
        rest = rest.subspan(piece.size());
    }
    connection->to.close();
    ET_ASSIGN(const std::string line, readLine());
    static_cast<void>(connection->process.end(linkGrace));
    connection.reset();
    return line == "et-agent stored\n" ? Result<>() : gone();
}

/// Connects and reads the agent's greeting.
Result<> AgentLink::connectOnce() {
    constexpr int uploads = 2;
    for (int attempt = 0; attempt <= uploads; ++attempt) {
        ++counted.connections;
        ET_ASSIGN(Connection opened, connect(device, startLine(device, agents, session)));
        connection = std::make_unique<Connection>(std::move(opened));
        std::string line;
        for (std::size_t skipped = 0; !line.starts_with("et-agent ") && skipped < maxBanner;
             skipped += line.size()) {
            ET_ASSIGN(line, readLine());
        }
        if (line == wire::greeting) {
            lost = false;
            return {};
        }
        constexpr std::string_view missing = "et-agent missing ";
        connection->process.end(linkGrace);
        connection.reset();
        const std::size_t space = line.rfind(' ');
        std::string machine =
            line.starts_with(missing) ? line.substr(missing.size(), space - missing.size()) : "";
        machine = machine == "arm64" ? "aarch64" : machine;
        const auto agent = std::ranges::find(agents, machine, &AgentFile::machine);
        std::uint64_t have = 0;
        std::from_chars(line.data() + space + 1, line.data() + line.size(), have);
        if (agent == agents.end()) {
            refused = true;
            return fail(
                ErrorCode::Unsupported,
                fmt::format("the agent is not running: {}", core::printable(line.substr(0, line.size() - 1))),
                {.file = titleOf(device), .field = {}, .offset = {}});
        }
        ET_TRY(upload(*agent, have));
    }
    return fail(ErrorCode::Io, "the agent did not start",
                {.file = titleOf(device), .field = {}, .offset = {}});
}

Result<> AgentLink::reconnect() {
    auto pause = firstPause;
    for (;;) {
        connection.reset();
        refused = false;
        heard = false;
        auto done = connectOnce();
        if (done) {
            fruitless = 0;
            return done;
        }
        if (!lost || refused || isCancelled() || ++fruitless >= maxFruitless) {
            return done;
        }
        pauseFor(pause, cancel);
        pause *= 2;
    }
}

Result<> AgentLink::put(const std::string& hash, Bytes content) {
    ET_ASSIGN(const Frame answer,
              ask(FrameKind::Put, wire::encode(wire::PutRequest{.hash = hash, .size = content.size()})));
    ET_ASSIGN(const std::uint64_t have, wire::decodeNumber(answer.body));
    if (have == content.size()) {
        // The content is complete, but may not have its final name yet.
        return ask(FrameKind::PutEnd, {}).transform([](const Frame&) {});
    }
    Bytes rest = content.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(have, content.size())));
    while (!rest.empty()) {
        const Bytes piece = rest.first(std::min(rest.size(), wire::pieceBytes));
        if (isCancelled()) {
            return gone();
        }
        ET_TRY(send(FrameKind::Data, piece));
        counted.sentBytes += piece.size();
        rest = rest.subspan(piece.size());
    }
    return ask(FrameKind::PutEnd, {}).transform([](const Frame&) {});
}

}  // namespace et::devices
