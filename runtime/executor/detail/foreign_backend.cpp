#include "runtime/executor/detail/foreign_call.h"
#include "runtime/executor/detail/foreign_plugin.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace et::executor::detail {
namespace {

using core::ErrorCode;

/// A delegate that a library loaded.
class ForeignDelegate final : public LoadedDelegate {
  public:
    ForeignDelegate(const et_inspect::Plugin& from, std::size_t backendNumber, const DelegateSource& source)
        : plugin(from),
          backend(backendNumber),
          method(source.method),
          arguments(from),
          kept(source.memoryBytes),
          temporary(source.memoryBytes) {
        host.temporary = &temporary;
        host.kept = &kept;
        host.threads = &source.threads;
        host.namedData = &source.namedData;
        arguments.call.host = &host;
        arguments.call.method = method.c_str();
    }
    ForeignDelegate(const ForeignDelegate&) = delete;
    ForeignDelegate& operator=(const ForeignDelegate&) = delete;
    ~ForeignDelegate() override {
        if (handle != nullptr) {
            plugin.destroy(backend, handle);
        }
    }

    core::Result<> init(const program::Delegate& delegate);
    core::Result<> execute(const DelegateCallContext& context, std::span<core::Value* const> given) override;
    [[nodiscard]] std::uint64_t workspaceBytes() const override {
        return kept.peakBytes() + temporary.peakBytes();
    }

  private:
    const et_inspect::Plugin& plugin;
    std::size_t backend;
    std::string method;
    ForeignHost host;
    ForeignArguments arguments;
    kernels::ScratchMemory kept;
    kernels::ScratchMemory temporary;
    std::vector<std::string> keys;  ///< of compile specs
    void* handle = nullptr;
};

core::Result<> ForeignDelegate::init(const program::Delegate& delegate) {
    std::vector<et_inspect::CompileSpecInfo> specs;
    for (const program::CompileSpec& each : delegate.compileSpecs) {
        keys.emplace_back(each.key);
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        const core::Bytes value = delegate.compileSpecs[i].value;
        specs.push_back({.key = keys[i].c_str(), .data = value.data(), .bytes = value.size()});
    }
    const et_inspect::DelegateInput input{.payload = delegate.payload.data(),
                                          .bytes = delegate.payload.size(),
                                          .specs = specs.data(),
                                          .specCount = specs.size()};
    const std::uint32_t code = plugin.init(backend, &arguments.call, &input, &handle);
    temporary.release();
    return code == 0 ? core::Result<>() : std::unexpected(foreignError(code, arguments.call.message));
}

core::Result<> ForeignDelegate::execute(const DelegateCallContext& context,
                                        std::span<core::Value* const> given) {
    ET_TRY(arguments.fill(given, 0));
    if (context.tracer != nullptr && context.tracer != host.tracer) {
        host.unnamed = context.tracer->name("");
    }
    host.tracer = context.tracer;
    host.ids = context.ids;
    arguments.call.isTraced = context.tracer != nullptr;
    arguments.call.debugLevel =
        context.tracer == nullptr ? 0 : static_cast<std::uint32_t>(context.tracer->debugLevel());
    const std::uint32_t code = plugin.execute(backend, handle, &arguments.call);
    temporary.release();
    if (code != 0) {
        return std::unexpected(foreignError(code, arguments.call.message));
    }
    arguments.takeChanges(given);
    return {};
}

class ForeignBackend final : public Backend {
  public:
    ForeignBackend(const et_inspect::Plugin& from, std::size_t backendNumber)
        : plugin(from), number(backendNumber), ownName(from.backends[backendNumber]) {}

    [[nodiscard]] std::string_view name() const override { return ownName; }
    [[nodiscard]] core::Result<std::unique_ptr<LoadedDelegate>> load(
        const DelegateSource& source) const override {
        if (!plugin.isAvailable(number)) {
            return core::fail(
                ErrorCode::Unsupported,
                fmt::format("{} reports that it is not available on this machine", core::printable(ownName)));
        }
        auto delegate = std::make_unique<ForeignDelegate>(plugin, number, source);
        ET_TRY(delegate->init(source.delegate));
        return delegate;
    }

  private:
    const et_inspect::Plugin& plugin;
    std::size_t number;
    std::string ownName;
};

}  // namespace

std::unique_ptr<Backend> makeForeignBackend(const et_inspect::Plugin& plugin, std::size_t number) {
    return std::make_unique<ForeignBackend>(plugin, number);
}

}  // namespace et::executor::detail
