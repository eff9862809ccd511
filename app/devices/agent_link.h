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

/// What a session has cost so far.
struct LinkInfo {
    std::uint64_t connections = 0;
    std::uint64_t sentBytes = 0;  ///< of files and of the agent
    std::uint64_t fetched = 0;    ///< answers that were fetched again after their connection was lost
};

/// A session with the agent of a target, over as many connections as it takes. Where one is lost,
/// a request fails with `isLost()`; reconnect() brings the session to where it was.
class AgentLink {
  public:
    /// `cancel` may be null. Errors: Io, NotFound, Unsupported (no agent runs there).
    [[nodiscard]] static core::Result<AgentLink> open(const Target& target, const std::atomic<bool>* cancel);
    AgentLink(AgentLink&&) = default;
    AgentLink& operator=(AgentLink&&) = delete;
    AgentLink(const AgentLink&) = delete;
    AgentLink& operator=(const AgentLink&) = delete;
    ~AgentLink();

    /// Asks, and answers what the agent asks meanwhile out of `tracer`. Errors: Io (isLost(): of the
    /// connection), Cancelled; what the agent answers; Unsupported (the agent crashed: says how).
    [[nodiscard]] core::Result<wire::Frame> ask(wire::FrameKind kind, core::Bytes body,
                                                core::EventTracer* tracer = nullptr);
    /// Puts a file, from where an earlier transfer of it broke off. Errors: as ask().
    [[nodiscard]] core::Result<> put(const std::string& hash, core::Bytes content);

    [[nodiscard]] bool isLost() const { return lost; }
    /// The beginning of the answer that the last connection broke off.
    [[nodiscard]] const wire::Frame& partial() const { return incoming; }
    /// Errors: as open(); Io (several times in a row without any progress).
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
    /// Why the connection is no more.
    [[nodiscard]] std::unexpected<core::Error> gone();

    Target device;
    std::vector<AgentFile> agents;
    const std::atomic<bool>* cancel;
    std::string session;
    std::unique_ptr<Connection> connection;  ///< null: there is none now
    bool lost = false;
    bool refused = false;        ///< by ssh or adb themselves: more attempts are of no use
    bool heard = false;          ///< of this connection: anything
    std::uint64_t uploaded = 0;  ///< of the agent, as the device told last
    unsigned fruitless = 0;      ///< connections in a row that led to nothing
    wire::Frame incoming;
    LinkInfo counted;
};

}  // namespace et::devices
