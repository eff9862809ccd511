#pragma once

#include "app/devices/agent_files.h"
#include "app/devices/shell.h"
#include "app/devices/target.h"
#include "app/wire/frame.h"
#include "app/wire/messages.h"
#include "runtime/core/event_tracer.h"
#include "runtime/core/result.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace et::devices {

/// Statistics of a session.
struct LinkInfo {
    std::uint64_t connections = 0;
    std::uint64_t sentBytes = 0;  ///< of files and of the agent executable
    std::uint64_t fetched = 0;    ///< answers retrieved after their connection was lost
};

/// A session with the agent of a target, over one or several connections. If a connection is lost, a request
/// fails with `isLost()`; reconnect() restores the session.
class AgentLink {
  public:
    /// `cancel` may be null. Errors: Io, NotFound, Unsupported (the agent does not run on the device).
    [[nodiscard]] static core::Result<AgentLink> open(const Target& target, const std::atomic<bool>* cancel);
    AgentLink(AgentLink&&) = default;
    AgentLink& operator=(AgentLink&&) = delete;
    AgentLink(const AgentLink&) = delete;
    AgentLink& operator=(const AgentLink&) = delete;
    ~AgentLink();

    /// Sends a request, and answers the agent's own requests from `tracer` meanwhile. Errors: Io (isLost() if
    /// the connection was lost), Cancelled; errors returned by the agent; Unsupported (the agent crashed; the
    /// message gives the signal).
    [[nodiscard]] core::Result<wire::Frame> ask(wire::FrameKind kind, core::Bytes body,
                                                core::EventTracer* tracer = nullptr);
    /// Sends a file, resuming an interrupted transfer. Errors: those of ask().
    [[nodiscard]] core::Result<> put(const std::string& hash, core::Bytes content);

    [[nodiscard]] bool isLost() const { return lost; }
    /// The beginning of the answer that was interrupted by the loss of the last connection.
    [[nodiscard]] const wire::Frame& partial() const { return incoming; }
    /// Errors: those of open(); Io (several attempts in a row without progress).
    [[nodiscard]] core::Result<> reconnect();
    void countFetched() { ++counted.fetched; }
    [[nodiscard]] const LinkInfo& info() const { return counted; }
    [[nodiscard]] const Target& target() const { return device; }

  private:
    AgentLink(Target what, std::vector<AgentFile> files, const std::atomic<bool>* stop);

    [[nodiscard]] core::Result<> connectOnce();
    [[nodiscard]] core::Result<> upload(const AgentFile& agent, std::uint64_t from);
    [[nodiscard]] core::Result<std::string> readLine();
    [[nodiscard]] core::Result<> readAll(std::span<std::byte> into);
    [[nodiscard]] core::Result<> send(wire::FrameKind kind, core::Bytes body);
    [[nodiscard]] core::Result<wire::Frame> receive(core::EventTracer* tracer);
    [[nodiscard]] bool isCancelled() const { return cancel != nullptr && *cancel; }
    /// The error that describes why the connection was lost.
    [[nodiscard]] std::unexpected<core::Error> gone();

    Target device;
    std::vector<AgentFile> agents;
    const std::atomic<bool>* cancel;
    std::string session;
    std::unique_ptr<Connection> connection;  ///< null if not connected
    bool lost = false;
    bool refused = false;        ///< ssh or adb itself failed: further attempts are pointless
    bool heard = false;          ///< true if this connection received anything
    std::uint64_t uploaded = 0;  ///< bytes of the agent executable that the device last reported
    unsigned fruitless = 0;      ///< consecutive connections without progress
    wire::Frame incoming;
    LinkInfo counted;
};

}  // namespace et::devices
