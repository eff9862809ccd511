#include "backends/lowering/lower.h"

#include "backends/lowering/constant_methods.h"
#include "backends/lowering/method_emission.h"
#include "backends/lowering/node_names.h"
#include "runtime/builder/memory_planner.h"
#include "runtime/builder/program_builder.h"
#include "runtime/core/scalar_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <map>
#include <string>
#include <utility>

namespace et::backends::lowering {
namespace {

using core::Result;
using etrecord::Node;

/// Buffers that several methods use and one changes, with their places in a memory arena.
struct SharedBuffers {
    std::map<std::string, std::uint64_t, std::less<>> offsets;  ///< by target
    std::uint64_t bytes = 0;
};

SharedBuffers sharedBuffers(const std::vector<EdgeMethod>& methods) {
    struct Use {
        std::size_t methods = 0;
        bool isChanged = false;
        const etrecord::TensorMeta* meta = nullptr;
        bool isSame = true;  ///< in all methods
    };
    std::map<std::string, Use, std::less<>> uses;
    for (const EdgeMethod& method : methods) {
        for (const etrecord::InputSpec& spec : method.graph().inputSpecs) {
            const etrecord::TensorMeta* meta = method.meta(spec.value);
            if (isUserInput(spec) || spec.target.empty() || meta == nullptr) {
                continue;
            }
            Use& use = uses[spec.target];
            use.isChanged = use.isChanged || method.isMutated(spec.value);
            use.isSame = use.isSame && (use.meta == nullptr || *use.meta == *meta);
            use.meta = meta;
            ++use.methods;
        }
    }
    SharedBuffers shared;
    for (const auto& [target, use] : uses) {
        std::vector<std::int64_t> sizes;
        std::ranges::transform(use.meta->sizes, std::back_inserter(sizes), &etrecord::SymInt::value);
        const auto bytes = core::tensorBytes(use.meta->scalarType, sizes);
        if (use.methods > 1 && use.isChanged && use.isSame && bytes) {
            constexpr std::uint64_t unit = builder::planAlignment;
            shared.offsets.emplace(target, shared.bytes);
            shared.bytes += (static_cast<std::uint64_t>(*bytes) + unit - 1) / unit * unit;
        }
    }
    return shared;
}

Result<std::vector<EdgeMethod>> openMethods(const etrecord::Record& record) {
    std::vector<EdgeMethod> methods;
    for (const std::string& name : record.methods()) {
        ET_ASSIGN(EdgeMethod method, EdgeMethod::open(record, name));
        methods.push_back(std::move(method));
    }
    const SharedBuffers shared = sharedBuffers(methods);
    for (EdgeMethod& method : methods) {
        method.shareBuffers(shared.offsets, shared.bytes);
    }
    return methods;
}

Result<std::vector<LoweredMethod>> lowerMethods(const etrecord::Record& record, const LowerOptions& options,
                                                WeightStore& weights, builder::ProgramBuilder& program) {
    std::vector<LoweredMethod> methods;
    NodeNames except(options.except);
    NodeNames only(options.only);
    ET_ASSIGN(std::vector<EdgeMethod> opened, openMethods(record));
    for (EdgeMethod& method : opened) {
        const std::string name = method.name();
        LoweredMethod lowered{
            .name = name, .graph = &method.graph(), .partition = {}, .emitted = {}, .ownGraph = {}};
        std::vector<bool> allowed;
        for (const Node& node : method.graph().nodes) {
            const bool excepted = except.has(node);
            const bool chosen = only.has(node) || only.empty();
            allowed.push_back(chosen && !excepted);
        }
        if (options.partitioner) {
            ET_ASSIGN(lowered.partition,
                      options.partitioner(method, [&](NodeIndex node) { return allowed[node]; }, weights));
        } else {
            lowered.partition.decisions.resize(method.graph().nodes.size());
        }
        ET_ASSIGN(lowered.emitted,
                  emitMethod(method, lowered.partition.parts, options.kernels, program.method(name)));
        methods.push_back(std::move(lowered));
    }
    ET_TRY(except.requireAll());
    ET_TRY(only.requireAll());
    return methods;
}

}  // namespace

Result<LoweredProgram> lowerRecord(const etrecord::Record& record, const LowerOptions& options) {
    const auto weights = std::make_shared<WeightStore>();
    const auto program = std::make_shared<builder::ProgramBuilder>();
    LoweredProgram lowered;
    ET_ASSIGN(lowered.methods, lowerMethods(record, options, *weights, *program));
    if (options.constants != nullptr) {
        addConstantMethods(*options.constants, *program);
    }
    for (const auto& [key, bytes] : weights->all()) {
        program->addNamedData(key, bytes, weights);
    }
    ET_ASSIGN(const builder::ProgramContent content, program->content());
    for (std::size_t i = 0; i < lowered.methods.size(); ++i) {
        lowered.methods[i].plannedBytes = content.methods[i].plannedBytes();
    }
    ET_ASSIGN(lowered.file, builder::programFile(content));
    lowered.file.keepAlive(program);
    return lowered;
}

}  // namespace et::backends::lowering
