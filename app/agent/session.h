#pragma once

#include "app/agent/file_store.h"
#include "app/wire/device_gauge.h"
#include "app/wire/frame.h"
#include "app/wire/messages.h"
#include "runtime/core/result.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>

namespace et::agent {

class LoadedModule;

/// Functions through which the agent talks to the other side.
struct Channel {
    wire::ReadAll read;
    std::function<core::Result<>(wire::FrameKind kind, core::Bytes body)> write;
};

/// Settings and limits of a session.
struct SessionSettings {
    std::filesystem::path folder;  ///< the agent's folder: files/ for all sessions, work/NAME/ for this one
    std::string name;              ///< session name
    std::uint64_t keptBytes = std::uint64_t{4} << 30;  ///< total size of files kept between sessions
};

/// Answers the frames of a connection. A session may use several connections in succession: the answer to its
/// last execution is kept in its folder until the next execution is requested.
class Session {
  public:
    /// Errors: Io, InvalidArgument (invalid session name).
    [[nodiscard]] static core::Result<std::unique_ptr<Session>> open(SessionSettings settings,
                                                                     Channel channel);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Answers one frame. Returns false when the session is over. Errors: Io (the other side disconnected),
    /// Format (an invalid frame, after which reading cannot continue). Errors of a request are sent as its
    /// answer.
    [[nodiscard]] core::Result<bool> step();

    /// Cancels the running execution.
    void cancel() { cancelled = true; }

  private:
    Session(SessionSettings given, Channel connection, FileStore store);

    [[nodiscard]] core::Result<> answer(const wire::Frame& frame);
    [[nodiscard]] core::Result<wire::Frame> reply(const wire::Frame& frame);
    [[nodiscard]] core::Result<wire::Frame> open(core::Bytes body);
    [[nodiscard]] core::Result<wire::Frame> load(core::Bytes body);
    [[nodiscard]] core::Result<wire::Frame> execute(core::Bytes body);
    [[nodiscard]] core::Result<wire::Frame> fetch(core::Bytes body);
    [[nodiscard]] core::Result<LoadedModule*> find(std::uint32_t module);
    [[nodiscard]] core::Result<> keepAnswer(std::uint64_t number, core::Bytes body);
    [[nodiscard]] bool ask(const wire::Query& query);
    [[nodiscard]] std::filesystem::path workFolder() const;

    SessionSettings settings;
    Channel channel;
    FileStore files;
    wire::DeviceGauge gauge;
    std::atomic<bool> cancelled = false;
    bool isOver = false;
    std::map<std::uint32_t, std::unique_ptr<LoadedModule>> modules;
};

}  // namespace et::agent
