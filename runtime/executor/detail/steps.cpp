#include "runtime/executor/detail/steps.h"

#include "runtime/core/event_names.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <set>
#include <type_traits>

namespace et::executor::detail {
namespace {

using core::ErrorCode;

using KernelEntries = std::vector<const kernels::KernelEntry*>;  ///< by program::OperatorId

/// Finds the kernels of all operators of the method.
core::Result<KernelEntries> findKernels(const program::Method& method,
                                        const kernels::KernelRegistry& registry) {
    KernelEntries entries;
    std::set<std::string> missing;
    for (const program::Operator& op : method.operators) {
        entries.push_back(registry.find(op.fullName()));
        if (entries.back() == nullptr) {
            missing.insert(core::printable(op.fullName()));
        }
    }
    if (missing.empty()) {
        return entries;
    }
    return core::fail(ErrorCode::NotFound,
                      fmt::format("no kernel for operator{} {}: load a plugin that provides {} (--plugin)",
                                  missing.size() == 1 ? "" : "s", fmt::join(missing, ", "),
                                  missing.size() == 1 ? "it" : "them"));
}

core::Result<const Backend*> findBackend(std::string_view name, const Environment& environment) {
    const auto found = std::ranges::find(environment.backends, name, &Backend::name);
    if (found != environment.backends.end()) {
        return *found;
    }
    std::vector<std::string_view> known;
    for (const Backend* backend : environment.backends) {
        known.push_back(backend->name());
    }
    return core::fail(
        ErrorCode::NotFound,
        fmt::format("no backend {}, which the program is delegated to: pass the ETRecord to emulate it "
                    "(--etrecord), or a plugin that provides it (--plugin); available backends {}",
                    core::printable(name),
                    known.empty() ? "are: none" : fmt::format("are: {}", fmt::join(known, ", "))));
}

core::Result<std::vector<std::unique_ptr<LoadedDelegate>>> loadDelegates(const program::Method& method,
                                                                         ModuleState& module) {
    std::vector<std::unique_ptr<LoadedDelegate>> loaded;
    for (std::size_t i = 0; i < method.delegates.size(); ++i) {
        const program::Delegate& delegate = method.delegates[i];
        auto made = findBackend(delegate.backend, module.environment).and_then([&](const Backend* backend) {
            return backend->load({.delegate = delegate,
                                  .method = method.name,
                                  .namedData = module.data,
                                  .threads = module.environment.threads,
                                  .shared = &module.shared[backend],
                                  .traced = module.environment.tracer != nullptr,
                                  .memoryBytes = module.environment.limits.memoryBytes,
                                  .caches = &module.caches,
                                  .options = module.environment.backendOptions});
        });
        if (!made) {
            core::Error error = std::move(made).error();
            error.where.field = error.where.field.empty()
                                    ? fmt::format("delegates[{}]", i)
                                    : fmt::format("delegates[{}]: {}", i, error.where.field);
            return std::unexpected(std::move(error));
        }
        loaded.push_back(std::move(*made));
    }
    return loaded;
}

/// Number of results that an instruction repeats at its end: the ids themselves, or a list of several.
std::size_t countResults(const program::Method& method, std::span<const program::ValueId> args) {
    const auto isBefore = [&](std::span<const program::ValueId> results, std::size_t behind) {
        return args.size() >= results.size() + behind &&
               std::ranges::equal(results, args.first(args.size() - behind).last(results.size()));
    };
    if (args.empty()) {
        return 0;
    }
    if (const auto* const list = method.value(args.back()).as<program::TensorList>();
        list != nullptr && isBefore(list->items, 1)) {
        return list->items.size();
    }
    std::size_t results = args.size() / 2;
    while (!isBefore(args.last(results), results)) {
        --results;
    }
    return results;
}

/// The entry of a kernel with unknown signature, with that of an instruction.
kernels::KernelEntry completed(const kernels::KernelEntry& entry, const program::Method& method,
                               std::span<const program::ValueId> args) {
    constexpr std::size_t bits = 64;
    const std::size_t results = countResults(method, args);
    const bool hasList = results > 0 && args.back() != args[args.size() - 1 - results];
    kernels::KernelEntry known = entry;
    known.kernel.arguments = args.size() - (hasList ? 1 : results);
    for (std::size_t i = known.kernel.arguments - results; i < std::min(known.kernel.arguments, bits); ++i) {
        known.kernel.written |= std::uint64_t{1} << i;
    }
    return known;
}

class StepMaker {
  public:
    StepMaker(const program::Method& from, MethodValues& methodValues, const KernelEntries& kernels,
              Steps& into)
        : method(from), values(methodValues), entries(kernels), out(into) {}

    void makeAll() {
        out.arguments.reserve(countArguments());
        std::size_t count = 0;
        for (const program::Chain& chain : method.chains) {
            count += chain.instructions.size();
        }
        out.all.reserve(count);
        for (std::size_t chain = 0; chain < method.chains.size(); ++chain) {
            const auto& instructions = method.chains[chain].instructions;
            const std::size_t start = out.all.size();
            for (std::size_t i = 0; i < instructions.size(); ++i) {
                Step step;
                step.chain = static_cast<std::int32_t>(chain);
                step.instruction = static_cast<std::int32_t>(i);
                std::visit([&](const auto& call) { make(call, step); }, instructions[i]);
                step.destination += start;
                out.all.push_back(std::move(step));
            }
        }
    }

  private:
    std::size_t countArguments() const {
        std::size_t count = 0;
        for (const program::Chain& chain : method.chains) {
            for (const program::Instruction& instruction : chain.instructions) {
                count += std::visit(
                    [](const auto& call) {
                        if constexpr (requires { call.args; }) {
                            return call.args.size();
                        }
                        return std::size_t{2};
                    },
                    instruction);
            }
        }
        return count;
    }

    /// The vector has its final capacity, so spans into it stay valid.
    std::span<core::Value* const> arguments(std::span<const program::ValueId> ids) {
        const std::size_t start = out.arguments.size();
        for (const program::ValueId id : ids) {
            out.arguments.push_back(&values.at(id));
        }
        return std::span(out.arguments).subspan(start, ids.size());
    }

    void make(const program::KernelCall& call, Step& step) {
        step.kind = Step::Kind::Kernel;
        step.target = call.op.value;
        step.entry = kernels::versionFor(entries[call.op.value], call.args.size());
        if (step.entry->kernel.arguments == 0) {
            out.completed.push_back(completed(*step.entry, method, call.args));
            step.entry = &out.completed.back();
        }
        step.arguments = arguments(call.args);
    }
    void make(const program::DelegateCall& call, Step& step) {
        step.kind = Step::Kind::Delegate;
        step.target = call.delegate.value;
        step.delegate = out.delegates[call.delegate.value].get();
        step.arguments = arguments(call.args);
    }
    void make(const program::MoveCall& call, Step& step) {
        step.kind = Step::Kind::Move;
        step.arguments = arguments(std::array{call.from, call.to});
    }
    void make(const program::JumpFalseCall& call, Step& step) {
        step.kind = Step::Kind::JumpFalse;
        step.arguments = arguments(std::array{call.condition});
        step.destination = static_cast<std::size_t>(call.destination.value);
    }
    void make(const program::FreeCall& call, Step& step) {
        step.kind = Step::Kind::Free;
        step.arguments = arguments(std::array{call.value});
    }

    const program::Method& method;
    MethodValues& values;
    const KernelEntries& entries;
    Steps& out;
};

std::string_view kindText(Step::Kind kind) {
    switch (kind) {
        case Step::Kind::Move:
            return "move";
        case Step::Kind::JumpFalse:
            return "jump if false";
        case Step::Kind::Free:
            return "free";
        default:
            return "";
    }
}

}  // namespace

core::Result<Steps> makeSteps(const program::Method& method, MethodValues& values, ModuleState& module) {
    ET_ASSIGN(const KernelEntries kernels, findKernels(method, module.environment.kernels));
    Steps steps;
    ET_ASSIGN(steps.delegates, loadDelegates(method, module));
    StepMaker(method, values, kernels, steps).makeAll();
    return steps;
}

std::string stepText(const program::Method& method, const Step& step) {
    std::string what;
    if (step.kind == Step::Kind::Kernel) {
        what = method.operators[step.target].fullName();
    } else if (step.kind == Step::Kind::Delegate) {
        what = method.delegates[step.target].backend;
    } else {
        what = kindText(step.kind);
    }
    const std::string chain = method.chains.size() > 1 ? fmt::format("chains[{}].", step.chain) : "";
    return fmt::format("{}instructions[{}] ({})", chain, step.instruction, core::printable(what));
}

std::string eventName(const program::Operator& op) {
    const std::size_t colon = op.name.find("::");
    if (colon == std::string_view::npos) {
        return std::string(op.name);
    }
    // The former name shares the kernel, and so the event.
    if (op.name == "llama::gated_delta_rule" || op.name == "llama::channelwise_gated_delta_rule") {
        return fmt::format("{}llama::gated_delta_rule.out", core::event_name::kernelPrefix);
    }
    constexpr std::array<std::string_view, 3> withLibrary{"llama", "preprocess", "torchao"};
    if (std::ranges::contains(withLibrary, op.name.substr(0, colon))) {
        return op.fullName();
    }
    const std::string_view bare = op.name.substr(colon + 2);
    return op.overload.empty() ? fmt::format("{}{}", core::event_name::kernelPrefix, bare)
                               : fmt::format("{}{}.{}", core::event_name::kernelPrefix, bare, op.overload);
}

}  // namespace et::executor::detail
