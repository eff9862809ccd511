#include "app/devices/agent_device.h"

#include "app/devices/agent_link.h"
#include "app/devices/device_log.h"
#include "app/wire/tape.h"
#include "app/wire/values.h"
#include "inspector/format/checksum.h"
#include "inspector/memory/kept_state.h"
#include "inspector/memory/memory_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <utility>

namespace et::devices {
namespace {

using core::Bytes;
using core::ErrorCode;
using core::fail;
using core::Result;
using wire::Frame;
using wire::FrameKind;

/// Maximum attempts of a request whose connection is lost each time.
constexpr unsigned maxLosses = 30;

wire::Listening listeningOf(core::EventTracer* tracer) {
    return tracer == nullptr
               ? wire::Listening{}
               : wire::Listening{
                     .isOn = true, .debugLevel = tracer->debugLevel(), .taps = tracer->wantsTaps()};
}

struct Shared {
    Shared(AgentLink opened, DeviceLog keeper, DeviceOptions given)
        : link(std::move(opened)), log(std::move(keeper)), options(std::move(given)) {}

    AgentLink link;
    DeviceLog log;
    DeviceOptions options;
    std::uint32_t modules = 0;
    std::uint64_t executions = 0;
    mutable std::mutex stateMutex;
    std::optional<wire::DeviceState> state;                                  ///< after the last execution
    std::map<std::pair<const std::byte*, std::size_t>, std::string> hashes;  ///< of content that was already
                                                                             ///< sent

    /// Errors: those of AgentLink::put(), including a lost connection (isLost()).
    Result<std::string> put(Bytes content);
    void setState(const wire::DeviceState& now) {
        const std::scoped_lock lock(stateMutex);
        state = now;
    }
    std::optional<wire::DeviceState> lastState() const {
        const std::scoped_lock lock(stateMutex);
        return state;
    }
};

Result<std::string> Shared::put(Bytes content) {
    std::string& hash = hashes[{content.data(), content.size()}];
    if (hash.empty()) {
        hash = inspector::format::sha256(content);
    }
    ET_TRY(link.put(hash, content));
    return hash;
}

/// A program on the device. Requests are repeated over a new connection if necessary.
class AgentModule final : public executor::RemoteModule {
  public:
    AgentModule(std::shared_ptr<Shared> device, const executor::ModuleSetup& given)
        : shared(std::move(device)), setup(given) {}
    ~AgentModule() override {
        if (openedAt == shared->link.info().connections) {
            static_cast<void>(shared->link.ask(FrameKind::Close, wire::encode(std::uint64_t{number})));
        }
    }
    AgentModule(const AgentModule&) = delete;
    AgentModule& operator=(const AgentModule&) = delete;

    Result<std::unique_ptr<executor::RemoteMethod>> load(const program::Method& method,
                                                         core::EventTracer* tracer) override;
    Result<> open() {
        return ask([] { return Result<Frame>(Frame()); },
                   [](Bytes) -> Result<std::optional<Frame>> { return std::nullopt; })
            .transform([](const Frame&) {});
    }

    /// Makes a request that needs the module, over a new connection if the previous one is lost. `fetch` can
    /// retrieve the rest of an interrupted answer; if it returns nothing, the request is repeated.
    Result<Frame> ask(const std::function<Result<Frame>()>& attempt,
                      const std::function<Result<std::optional<Frame>>(Bytes partial)>& fetch);

    wire::TapePlayer player;
    std::shared_ptr<Shared> shared;
    executor::ModuleSetup setup;
    std::uint32_t number = 0;
    bool stateful = false;
    bool stateIsLost = false;
    bool executed = false;

  private:
    Result<Frame> loadOnce(const std::string& method, const wire::Listening& listening,
                           core::EventTracer* tracer);
    Result<> openOnce();
    Result<> recover();

    std::uint64_t openedAt = 0;  ///< LinkInfo::connections when opened; 0: not open
    std::map<std::string, wire::Listening, std::less<>> loaded;
};

class AgentMethod final : public executor::RemoteMethod {
  public:
    AgentMethod(AgentModule& owner, std::string called, std::uint64_t loadNanoseconds)
        : module(owner), name(std::move(called)), times{.nanoseconds = loadNanoseconds, .instructions = 0} {}

    Result<executor::RemoteTimes> execute(std::span<core::Value* const> inputs,
                                          std::span<core::Value* const> outputs,
                                          core::EventTracer* tracer) override;
    executor::RemoteTimes loading() const override { return times; }

  private:
    Result<Frame> attempt(std::uint64_t number, Bytes inputs, core::EventTracer* tracer);
    Result<std::optional<Frame>> fetch(std::uint64_t number, Bytes partial);
    Result<> take(const wire::ExecuteReply& reply, std::uint64_t number,
                  std::span<core::Value* const> outputs, core::EventTracer* tracer);

    AgentModule& module;
    std::string name;
    executor::RemoteTimes times;
    wire::ValueStore results;
};

/// A remote executor that runs methods through the agent of a target.
class AgentDevice final : public Device {
  public:
    explicit AgentDevice(std::shared_ptr<Shared> opened) : shared(std::move(opened)) {}

    Result<std::unique_ptr<executor::RemoteModule>> open(const executor::ModuleSetup& setup) override {
        auto module = std::make_unique<AgentModule>(shared, setup);
        ET_TRY(module->open());
        return module;
    }
    const Target& target() const override { return shared->link.target(); }
    const DeviceSummary& summary() const override { return shared->log.summary(); }
    std::optional<wire::DeviceState> lastState() const override { return shared->lastState(); }

  private:
    std::shared_ptr<Shared> shared;
};

Result<> AgentModule::openOnce() {
    number = ++shared->modules;
    wire::OpenRequest request{.module = number,
                              .program = {},
                              .tensorData = {},
                              .backendsOff = shared->options.backendsOff,
                              .threads = static_cast<std::uint32_t>(setup.threads),
                              .memoryBytes = setup.limits.memoryBytes,
                              .temporaryBytes = setup.limits.temporaryBytes,
                              .instructions = setup.limits.instructions,
                              .seed = setup.seed};
    ET_ASSIGN(request.program, shared->put(setup.program.bytes));
    for (const auto& each : setup.tensorData) {
        ET_ASSIGN(std::string hash, shared->put(each->file->bytes()));
        request.tensorData.push_back(std::move(hash));
    }
    ET_TRY(shared->link.ask(FrameKind::Open, wire::encode(request)));
    openedAt = shared->link.info().connections;
    return {};
}

/// Reopens the module on the current connection, where the agent does not have it.
Result<> AgentModule::recover() {
    stateIsLost = stateful && executed;
    player = {};
    ET_TRY(openOnce());
    for (const auto& [method, listening] : loaded) {
        ET_TRY(loadOnce(method, listening, nullptr));
    }
    return {};
}

Result<Frame> AgentModule::loadOnce(const std::string& method, const wire::Listening& listening,
                                    core::EventTracer* tracer) {
    const wire::LoadRequest request{.module = number, .method = method, .listening = listening};
    ET_ASSIGN(Frame answer, shared->link.ask(FrameKind::Load, wire::encode(request), tracer));
    ET_ASSIGN(const wire::LoadReply reply, wire::decode<wire::LoadReply>(answer.body));
    player.addNames(reply.names);
    return answer;
}

Result<Frame> AgentModule::ask(const std::function<Result<Frame>()>& attempt,
                               const std::function<Result<std::optional<Frame>>(Bytes partial)>& fetch) {
    for (unsigned losses = 0;; ++losses) {
        // Another module of the session may have detected the loss.
        const bool isHere = openedAt == shared->link.info().connections;
        auto answer = isHere ? attempt() : recover().transform([] { return Frame(); });
        if (answer && !isHere) {
            continue;
        }
        if (answer || !shared->link.isLost() || losses == maxLosses) {
            return answer;
        }
        const Frame& broken = shared->link.partial();
        const std::vector<std::byte> partial =
            broken.kind == FrameKind::Ran ? broken.body : std::vector<std::byte>();
        ET_TRY(shared->link.reconnect());
        if (isHere) {
            ET_ASSIGN(std::optional<Frame> fetched, fetch(partial));
            if (fetched) {
                return *std::move(fetched);
            }
        }
    }
}

Result<std::unique_ptr<executor::RemoteMethod>> AgentModule::load(const program::Method& method,
                                                                  core::EventTracer* tracer) {
    const std::string name(method.name);
    const wire::Listening listening = listeningOf(tracer);
    ET_ASSIGN(const bool keeps, inspector::keepsState(method));
    ET_ASSIGN(const Frame answer, ask([&] { return loadOnce(name, listening, tracer); },
                                      [](Bytes) -> Result<std::optional<Frame>> { return std::nullopt; }));
    stateful = stateful || keeps;
    loaded[name] = listening;
    ET_ASSIGN(const wire::LoadReply reply, wire::decode<wire::LoadReply>(answer.body));
    if (tracer != nullptr) {
        ET_TRY(player.play(reply.tape, *tracer));
    }
    return std::make_unique<AgentMethod>(*this, name, reply.nanoseconds);
}

Result<Frame> AgentMethod::attempt(std::uint64_t number, Bytes inputs, core::EventTracer* tracer) {
    if (module.stateIsLost) {
        return fail(
            ErrorCode::Unsupported,
            fmt::format("{} keeps state between runs, and that state was lost with the connection", name));
    }
    const wire::ExecuteRequest request{.module = module.number,
                                       .method = name,
                                       .number = number,
                                       .listening = listeningOf(tracer),
                                       .keep = module.shared->options.keep,
                                       .inputs = inputs};
    return module.shared->link.ask(FrameKind::Execute, wire::encode(request), tracer);
}

/// Returns the rest of the answer after `partial`; nothing if the execution did not end.
Result<std::optional<Frame>> AgentMethod::fetch(std::uint64_t number, Bytes partial) {
    AgentLink& link = module.shared->link;
    std::vector<std::byte> got(partial.begin(), partial.end());
    for (unsigned losses = 0;; ++losses) {
        const auto rest = link.ask(FrameKind::Fetch,
                                   wire::encode(wire::FetchRequest{.number = number, .offset = got.size()}));
        if (rest && rest->kind != FrameKind::Data) {
            return std::nullopt;
        }
        if (rest) {
            got.insert(got.end(), rest->body.begin(), rest->body.end());
            link.countFetched();
            return Frame{.kind = FrameKind::Ran, .body = std::move(got)};
        }
        if (!link.isLost() || losses == maxLosses) {
            return std::unexpected(rest.error());
        }
        if (link.partial().kind == FrameKind::Data) {
            got.insert(got.end(), link.partial().body.begin(), link.partial().body.end());
        }
        ET_TRY(link.reconnect());
    }
}

Result<executor::RemoteTimes> AgentMethod::execute(std::span<core::Value* const> inputs,
                                                   std::span<core::Value* const> outputs,
                                                   core::EventTracer* tracer) {
    const std::uint64_t number = ++module.shared->executions;
    wire::Encoder out;
    out.list(inputs, [](wire::Encoder& each, core::Value* value) { wire::encodeValue(each, *value); });
    const std::vector<std::byte> given = out.take();
    ET_ASSIGN(const Frame answer, module.ask([&] { return attempt(number, given, tracer); },
                                             [&](Bytes partial) { return fetch(number, partial); }));
    module.executed = true;
    ET_ASSIGN(const wire::ExecuteReply reply, wire::decode<wire::ExecuteReply>(answer.body));
    ET_TRY(take(reply, number, outputs, tracer));
    return executor::RemoteTimes{.nanoseconds = reply.nanoseconds, .instructions = reply.instructions};
}

Result<> AgentMethod::take(const wire::ExecuteReply& reply, std::uint64_t number,
                           std::span<core::Value* const> outputs, core::EventTracer* tracer) {
    module.player.addNames(reply.names);
    for (const Bytes tape : reply.tapes) {
        if (tracer != nullptr) {
            ET_TRY(module.player.play(tape, *tracer));
        }
    }
    wire::Decoder in(reply.outputs);
    ET_ASSIGN(const std::uint32_t count, in.count("outputs", 1));
    if (count != outputs.size()) {
        return fail(ErrorCode::Format, fmt::format("expected {} outputs, got {}", outputs.size(), count));
    }
    results.clear();
    for (core::Value* const output : outputs) {
        ET_ASSIGN(core::Value * value, results.decode(in));
        wire::assignValue(*value, *output);
    }
    module.shared->setState(reply.after);
    return module.shared->log.add({.number = number,
                                   .nanoseconds = reply.nanoseconds,
                                   .kept = !reply.tapes.empty(),
                                   .before = reply.before,
                                   .after = reply.after});
}

}  // namespace

Result<std::shared_ptr<Device>> openAgentDevice(const Target& target, const DeviceOptions& options) {
    ET_ASSIGN(DeviceLog log, DeviceLog::open(options.logFile));
    ET_ASSIGN(AgentLink link, AgentLink::open(target, options.cancel));
    return std::make_shared<AgentDevice>(std::make_shared<Shared>(std::move(link), std::move(log), options));
}

}  // namespace et::devices
