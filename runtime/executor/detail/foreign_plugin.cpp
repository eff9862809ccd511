#include "runtime/executor/detail/foreign_plugin.h"

#include "runtime/executor/detail/foreign_call.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <mutex>
#include <span>
#include <utility>

namespace et::executor::detail {
namespace {

using core::ErrorCode;
using kernels::Arguments;
using kernels::KernelContext;
using kernels::KernelEntry;

/// A kernel is a function without a context, so there is one per number.
constexpr std::size_t maxForeignKernels = 1024;

struct ForeignKernel {
    const et_inspect::Plugin* plugin = nullptr;  ///< null: free
    std::size_t kernel = 0;                      ///< in the plugin's table
    std::uint64_t written = 0;                   ///< arguments
};

struct ForeignKernels {
    std::array<ForeignKernel, maxForeignKernels> all;
    std::mutex changing;
};
ForeignKernels& foreignKernels() {
    static auto* const kernels = new ForeignKernels;
    return *kernels;
}

/// State of a library for an instruction.
struct ForeignState final : kernels::KernelState {
    explicit ForeignState(const et_inspect::Plugin& plugin) : arguments(plugin) {}

    ForeignHost host;
    ForeignArguments arguments;
};

core::Result<> callForeignKernel(std::size_t number, KernelContext& context, Arguments given) {
    const ForeignKernel& kernel = foreignKernels().all[number];
    auto& slot = context.state();
    if (slot == nullptr) {
        slot = std::make_unique<ForeignState>(*kernel.plugin);
    }
    auto& state = static_cast<ForeignState&>(*slot);
    ET_TRY(state.arguments.fill(given, kernel.written));
    state.host.kernel = &context;
    state.host.threads = &context.threads();
    state.arguments.call.host = &state.host;
    const std::uint32_t code = kernel.plugin->callKernel(kernel.kernel, &state.arguments.call);
    if (code != 0) {
        return std::unexpected(foreignError(code, state.arguments.call.message));
    }
    state.arguments.takeChanges(given);
    return {};
}

template <std::size_t number>
core::Result<> callForeign(KernelContext& context, Arguments arguments) {
    return callForeignKernel(number, context, arguments);
}

constexpr auto foreignCalls = []<std::size_t... number>(std::index_sequence<number...>) {
    return std::array<kernels::KernelFunction, maxForeignKernels>{&callForeign<number>...};
}(std::make_index_sequence<maxForeignKernels>{});

/// The signature that the library tells, or that of the built-in operator; 0 arguments if both are unknown.
kernels::Kernel signatureOf(const et_inspect::KernelInfo& info) {
    constexpr std::uint32_t bits = 64;
    if (info.arguments == 0 || info.arguments > bits || info.results > info.arguments) {
        const KernelEntry* const known = kernels::builtin().find(info.name);
        return known == nullptr ? kernels::Kernel() : known->kernel;
    }
    std::uint64_t written = 0;
    for (std::uint32_t i = info.arguments - info.results; i < info.arguments; ++i) {
        written |= std::uint64_t{1} << i;
    }
    return {.call = nullptr, .written = written, .arguments = info.arguments};
}

}  // namespace

core::Result<std::unique_ptr<ForeignPlugin>> ForeignPlugin::make(et_inspect::PluginEntry entry) {
    const et_inspect::Plugin* const from = entry(&foreignHost());
    if (from == nullptr || from->version != et_inspect::pluginVersion) {
        return core::fail(
            ErrorCode::Unsupported,
            fmt::format("compiled with the headers of another release (interface version {}, not "
                        "{}): build it again with `et-inspect plugin build`",
                        from == nullptr ? 0 : from->version,
                        static_cast<std::uint32_t>(et_inspect::pluginVersion)));
    }
    if (from->problem != nullptr) {
        return core::fail(ErrorCode::InvalidArgument, core::printable(from->problem));
    }
    std::unique_ptr<ForeignPlugin> made(new ForeignPlugin(*from));
    ET_TRY(made->addKernels());
    made->addBackends();
    made->described = {.kernels = made->entries.data(),
                       .kernelCount = made->entries.size(),
                       .backends = made->backends.data(),
                       .backendCount = made->backends.size()};
    return made;
}

ForeignPlugin::~ForeignPlugin() {
    ForeignKernels& kernels = foreignKernels();
    const std::lock_guard one(kernels.changing);
    for (const std::size_t number : numbers) {
        kernels.all[number] = {};
    }
}

core::Result<> ForeignPlugin::addKernels() {
    ForeignKernels& kernels = foreignKernels();
    const std::lock_guard one(kernels.changing);
    auto free = kernels.all.begin();
    for (std::size_t i = 0; i < plugin.kernelCount; ++i) {
        free = std::find_if(free, kernels.all.end(),
                            [](const ForeignKernel& each) { return each.plugin == nullptr; });
        if (free == kernels.all.end()) {
            return core::fail(ErrorCode::Limit,
                              fmt::format("expected at most {} kernels in plugins", maxForeignKernels));
        }
        const auto number = static_cast<std::size_t>(free - kernels.all.begin());
        kernels::Kernel kernel = signatureOf(plugin.kernels[i]);
        kernel.call = foreignCalls[number];
        *free = {.plugin = &plugin, .kernel = i, .written = kernel.written};
        numbers.push_back(number);
        entries.push_back({.name = plugin.kernels[i].name, .kernel = kernel});
    }
    return {};
}

void ForeignPlugin::addBackends() {
    for (std::size_t i = 0; i < plugin.backendCount; ++i) {
        owned.push_back(makeForeignBackend(plugin, i));
        backends.push_back(owned.back().get());
    }
}

}  // namespace et::executor::detail
