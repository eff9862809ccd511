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

/// How the agent reaches the other side.
struct Channel {
    wire::ReadAll read;
    std::function<core::Result<>(wire::FrameKind kind, core::Bytes body)> write;
};

/// What keeps a session within bounds, whatever is asked for.
struct SessionSettings {
    std::filesystem::path folder;  ///< of the agent: files/ for all sessions, work/NAME/ for this one
    std::string name;              ///< of the session
    std::uint64_t keptBytes = std::uint64_t{4} << 30;  ///< of files, from one session to the next
};

/// Answers the frames of one connection. A session may have several, one after the other: the answer to its
/// last execution waits in its folder until the next one is asked for.
class Session {
  public:
    /// Errors: Io, InvalidArgument (a name that is none).
    [[nodiscard]] static core::Result<std::unique_ptr<Session>> open(SessionSettings settings,
                                                                     Channel channel);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Answers one frame. False: the session is over. Errors: Io (nobody is there any more), Format (a frame
    /// that no reader can go on behind). What fails inside of a request is an answer.
    [[nodiscard]] core::Result<bool> step();

    /// Ends the execution that goes on.
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
