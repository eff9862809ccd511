#include "inspector/fit/fit.h"

#include "backends/host_caches.h"
#include "backends/known_backends.h"
#include "inspector/fit/kernel_use.h"
#include "inspector/format/quantities.h"
#include "runtime/core/scalar_type.h"
#include "runtime/program/schema_version.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>
#include <variant>

namespace et::inspector {
namespace {

using format::readableBytes;
using program::TensorInfo;

constexpr std::array<std::string_view, 10> partNames{"operator", "dtype",     "kernel", "backend", "data",
                                                     "feature",  "alignment", "memory", "flash",   "version"};

std::string dtypeNames(const std::set<std::int8_t>& dtypes) {
    std::vector<std::string> names;
    std::ranges::transform(dtypes, std::back_inserter(names),
                           [](std::int8_t code) { return core::scalarTypeName(code); });
    return fmt::format("{}", fmt::join(names, ", "));
}

bool isContiguous(const TensorInfo& tensor) {
    return std::ranges::is_sorted(tensor.dimOrder);
}

std::set<Feature> collectFeatures(const program::Program& program, const program::Method& method) {
    std::set<Feature> out;
    const auto note = [&](bool used, Feature feature) {
        if (used) {
            out.insert(feature);
        }
    };
    note(!program.segments.empty(), Feature::Segments);
    note(program.inlineConstants.size() > 1, Feature::InlineConstants);
    note(!program.namedData.empty(), Feature::NamedData);
    for (const program::Value& value : method.values) {
        const auto* const tensor = value.as<TensorInfo>();
        if (tensor == nullptr) {
            continue;
        }
        note(tensor->initialData == program::InitialData::External, Feature::ExternalData);
        note(tensor->initialData != program::InitialData::None && tensor->allocation.has_value(),
             Feature::InitialState);
        note(tensor->dynamism != program::ShapeDynamism::Static, Feature::DynamicShapes);
        note(tensor->dynamism == program::ShapeDynamism::Unbounded, Feature::UnboundedShapes);
        note(!isContiguous(*tensor), Feature::DimOrders);
        note(tensor->device.type != 0, Feature::Devices);
    }
    for (const program::Chain& chain : method.chains) {
        note(std::ranges::any_of(chain.instructions,
                                 [](const program::Instruction& each) {
                                     return std::holds_alternative<program::JumpFalseCall>(each);
                                 }),
             Feature::ControlFlow);
    }
    note(std::ranges::any_of(method.arenas,
                             [](const program::Arena& arena) { return arena.device.type != 0; }),
         Feature::Devices);
    return out;
}

/// Instructions that call delegates, by backend.
std::map<std::string, std::vector<core::InstructionId>> delegateCalls(const program::Method& method) {
    std::map<std::string, std::vector<core::InstructionId>> out;
    for (const program::Delegate& delegate : method.delegates) {
        out.try_emplace(std::string(delegate.backend));
    }
    for (const program::Chain& chain : method.chains) {
        for (std::size_t i = 0; i < chain.instructions.size(); ++i) {
            if (const auto* const call = std::get_if<program::DelegateCall>(&chain.instructions[i])) {
                out[std::string(method.delegate(call->delegate).backend)].emplace_back(
                    static_cast<std::int32_t>(i));
            }
        }
    }
    return out;
}

/// Checks one method.
class MethodCheck {
  public:
    MethodCheck(const program::Program& from, const program::Method& checked, const FitAgainst& what)
        : program(from), method(checked), against(what) {}

    MethodFit run() {
        out.method = method.name;
        out.needs = computeNeeds(program, method, against.caches);
        checkVersion();
        checkKernels();
        checkBackends();
        checkData();
        checkBounds();
        if (against.target != nullptr) {
            checkFeatures();
            checkAlignments();
            checkMemory();
            checkFlash();
        }
        return std::move(out);
    }

  private:
    void add(FitPart part, std::string subject, std::string what, std::string remedy,
             std::vector<core::InstructionId> instructions = {}) {
        std::ranges::sort(instructions, {}, &core::InstructionId::value);
        out.problems.push_back({.part = part,
                                .subject = std::move(subject),
                                .what = std::move(what),
                                .remedy = std::move(remedy),
                                .instructions = std::move(instructions)});
    }

    void checkVersion() {
        if (std::string remark = program::schemaVersionRemark(program.version); !remark.empty()) {
            add(FitPart::Version, "schema", std::move(remark),
                "export with the version of ExecuTorch that runs it");
        }
    }

    void checkKernels() {
        if (against.kernels == nullptr) {
            return;
        }
        for (const OperatorUse& op : operatorsOf(method)) {
            checkOperator(op);
        }
        if (!against.kernels->listsDtypes) {
            out.notes.emplace_back(
                "dtypes are not checked: a binary does not list the dtypes of its kernels");
        }
        std::ranges::copy(against.kernels->notes, std::back_inserter(out.notes));
    }

    void checkOperator(const OperatorUse& op) {
        std::map<KernelMatch, std::vector<core::InstructionId>> calls;
        std::set<std::int8_t> dtypes;
        std::set<std::string> keys;
        for (const KernelUse& use : op.uses) {
            const KernelMatch match = against.kernels->match(op.name, use);
            std::ranges::copy(use.instructions, std::back_inserter(calls[match]));
            if (match == KernelMatch::NoDtype) {
                dtypes.merge(against.kernels->missingDtypes(op.name, use));
            } else if (match == KernelMatch::NoKernel) {
                keys.insert(use.key.empty() ? "no tensor" : use.key);
            }
        }
        if (const auto none = calls.find(KernelMatch::NoOperator); none != calls.end()) {
            add(FitPart::Operator, op.name, "the runtime has no kernel of that name",
                fmt::format("build with {}", op.name), none->second);
        }
        if (const auto none = calls.find(KernelMatch::NoDtype); none != calls.end()) {
            add(FitPart::Dtype, op.name, fmt::format("no kernel for {}", dtypeNames(dtypes)),
                fmt::format("also build {} for {}", op.name, dtypeNames(dtypes)), none->second);
        }
        if (const auto none = calls.find(KernelMatch::NoKernel); none != calls.end()) {
            add(FitPart::Kernel, op.name, fmt::format("no kernel for {}", fmt::join(keys, " or ")),
                fmt::format("register a fallback kernel of {}, or one for these dtypes and dim orders",
                            op.name),
                none->second);
        }
    }

    /// Whether a backend is available; empty: unknown.
    std::optional<bool> hasBackend(const std::string& backend) const {
        if (against.target != nullptr && against.target->backends) {
            return against.target->backends->contains(backend);
        }
        if (against.kernels != nullptr && against.kernels->backends) {
            return against.kernels->backends->contains(backend);
        }
        return against.backends ? std::optional(against.backends->contains(backend)) : std::nullopt;
    }

    void checkBackends() {
        for (const auto& [backend, calls] : delegateCalls(method)) {
            const auto there = hasBackend(backend);
            if (!there) {
                out.notes.push_back(
                    fmt::format("{} is not checked: neither the runtime nor the target lists backends",
                                core::printable(backend)));
            } else if (!*there) {
                add(FitPart::Backend, backend, "the runtime does not have this backend",
                    "link the library that registers it, or export for an available backend", calls);
            }
        }
    }

    void checkData() {
        if (out.needs.externalTensors > 0 && against.tensorData.empty()) {
            out.notes.push_back(fmt::format("{} tensors are in a .ptd file that was not given (--data)",
                                            out.needs.externalTensors));
            return;
        }
        for (const program::Value& value : method.values) {
            const auto* const tensor = value.as<TensorInfo>();
            if (tensor == nullptr || tensor->initialData != program::InitialData::External) {
                continue;
            }
            const program::TensorDataEntry* found = nullptr;
            for (const auto& file : against.tensorData) {
                found = found == nullptr ? file->find(tensor->name) : found;
            }
            if (found == nullptr) {
                add(FitPart::Data, std::string(tensor->name),
                    "none of the given .ptd files has these weights",
                    "give the file that was exported with the program (--data)");
            } else if (found->data.size() < static_cast<std::uint64_t>(tensor->byteSize.value_or(0)) ||
                       (found->layout && (found->layout->scalarType != tensor->scalarType ||
                                          found->layout->sizes != tensor->sizes))) {
                add(FitPart::Data, std::string(tensor->name),
                    "the weights in the .ptd file have another dtype or size",
                    "give the file that was exported with the program (--data)");
            }
        }
    }

    /// Checks limits of ExecuTorch's own runtime that are independent of its build.
    void checkBounds() {
        constexpr std::size_t mostDimensions = 16;
        if (out.needs.features.contains(Feature::UnboundedShapes)) {
            out.notes.emplace_back(
                "ExecuTorch's own runtime rejects tensors of unbounded size (here they run)");
        }
        const bool tooDeep = std::ranges::any_of(method.values, [](const program::Value& value) {
            const auto* const tensor = value.as<TensorInfo>();
            return tensor != nullptr && tensor->sizes.size() > mostDimensions;
        });
        if (tooDeep) {
            out.notes.push_back(fmt::format(
                "ExecuTorch's own runtime rejects tensors of more than {} dimensions", mostDimensions));
        }
    }

    void checkFeatures() {
        for (const Feature feature : out.needs.features) {
            if (against.target->lacks.contains(feature)) {
                const FeatureInfo& known = traits(feature);
                add(FitPart::Feature, std::string(known.name),
                    "the program uses a feature that the target lacks", std::string(known.remedy));
            }
        }
    }

    void checkAlignments() {
        const auto& need = against.target->alignment;
        if (!need) {
            return;
        }
        const auto check = [&](std::string_view what, const std::optional<std::uint64_t>& has,
                               std::string_view remedy) {
            if (has && *has < *need) {
                add(FitPart::Alignment, std::string(what),
                    fmt::format("aligned to {} bytes, but the target needs {}", *has, *need),
                    fmt::format(fmt::runtime(remedy), *need));
            }
        };
        const Alignments& has = out.needs.alignments;
        check("constants", has.constants, "export with constant_tensor_alignment={}");
        check("payloads", has.payloads, "export with segment_alignment={0} and delegate_alignment={0}");
        check("planned tensors", has.planned, "export with MemoryPlanningPass(alignment={})");
    }

    void tooSmall(std::string subject, std::uint64_t has, std::uint64_t need, std::string remedy) {
        if (has < need) {
            add(FitPart::Memory, std::move(subject),
                fmt::format("{} ({} bytes) needed, {} ({} bytes) available: {} bytes short",
                            readableBytes(need), need, readableBytes(has), has, need - has),
                std::move(remedy));
        }
    }

    [[nodiscard]] const LoadNeed& load() const {
        const PoolNeeds& pools = out.needs.pools;
        return against.target->pointerBytes == 4 ? pools.load32 : pools.load64;
    }

    void checkMemory() {
        const Target& target = *against.target;
        const PoolNeeds& pools = out.needs.pools;
        if (target.methodBytes) {
            tooSmall("method pool", *target.methodBytes, load().method, "make the pool larger");
        }
        if (target.temporaryBytes) {
            tooSmall("temporary pool", *target.temporaryBytes,
                     std::max(load().temporary, pools.delegateScratch),
                     pools.delegateScratch > load().temporary
                         ? "make the pool larger: a delegate takes its scratch memory from it"
                         : "make the pool larger");
            out.notes.emplace_back(
                "the temporary pool is checked for loading and for delegates whose payload states their "
                "need, not for running kernels");
        }
        if (target.ioBytes) {
            tooSmall("inputs and outputs", *target.ioBytes, pools.inputsOutputs,
                     "make the pool larger, or the inputs smaller");
        }
        checkPlanned();
        if (target.ramBytes) {
            const std::uint64_t copied = target.inPlace ? 0 : computeFlash(program).data;
            tooSmall("all memory", *target.ramBytes,
                     load().method + std::max(load().temporary, pools.delegateScratch) +
                         pools.smallestPlanned() + pools.inputsOutputs + pools.unplanned +
                         out.needs.caches.reservedBytes() + copied,
                     target.inPlace ? "use a smaller model or input"
                                    : "read the payload in place, or use a smaller model");
        }
        if (target.stackBytes) {
            out.notes.emplace_back(
                "the stack is not checked: loading and running have a bounded call depth, but kernels "
                "differ");
        }
    }

    void checkPlanned() {
        const Target& target = *against.target;
        const PoolNeeds& pools = out.needs.pools;
        if (target.plannedBytes.empty()) {
            return;
        }
        if (target.plannedTogether) {
            tooSmall("planned pool", target.plannedBytes.front(), pools.smallestPlanned(),
                     "make the pool larger, or use a smaller model or input");
            return;
        }
        for (std::size_t i = 0; i < pools.arenas.size(); ++i) {
            tooSmall(fmt::format("planned pool {}", i + 1),
                     i < target.plannedBytes.size() ? target.plannedBytes[i] : 0, pools.arenas[i].smallest,
                     "make the pool larger, or use a smaller model or input");
        }
    }

    void checkFlash() {
        const Target& target = *against.target;
        std::uint64_t need = program.bytes.size();
        for (const auto& file : against.tensorData) {
            need += file->file->bytes().size();
        }
        if (target.flashBytes && *target.flashBytes < need) {
            add(FitPart::Flash, "flash",
                fmt::format("{} bytes of files, {} bytes available: {} bytes short", need, *target.flashBytes,
                            need - *target.flashBytes),
                "quantize, or list the largest contents with 'et-inspect size'");
        }
    }

    const program::Program& program;
    const program::Method& method;
    const FitAgainst& against;
    MethodFit out;
};

}  // namespace

std::string_view name(FitPart part) {
    return partNames[static_cast<std::size_t>(part)];
}

MethodNeeds computeNeeds(const program::Program& program, const program::Method& method,
                         const core::KvCacheSettings& caches) {
    MethodNeeds out{.features = collectFeatures(program, method),
                    .pools = computePools(method),
                    .alignments = collectAlignments(program, method),
                    .caches = backends::hostCachePlan(program, method, caches)};
    out.operators = operatorsOf(method).size();
    for (const program::Delegate& delegate : method.delegates) {
        out.backends.emplace(delegate.backend);
        out.pools.delegateScratch =
            std::max(out.pools.delegateScratch, backends::temporaryBytes(delegate.backend, delegate.payload));
    }
    out.externalTensors =
        static_cast<std::size_t>(std::ranges::count_if(method.values, [](const program::Value& value) {
            const auto* const tensor = value.as<TensorInfo>();
            return tensor != nullptr && tensor->initialData == program::InitialData::External;
        }));
    return out;
}

std::vector<MethodFit> fitOf(const program::Program& program, const FitAgainst& against) {
    std::vector<MethodFit> out;
    for (const program::Method& method : program.methods) {
        out.push_back(MethodCheck(program, method, against).run());
    }
    return out;
}

}  // namespace et::inspector
