#include "backends/lowering/lower.h"

#include "backends/lowering/constant_methods.h"
#include "backends/lowering/method_emission.h"
#include "backends/lowering/node_names.h"
#include "runtime/builder/program_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

namespace et::backends::lowering {
namespace {

using core::Result;
using etrecord::Node;

Result<std::vector<LoweredMethod>> lowerMethods(const etrecord::Record& record, const LowerOptions& options,
                                                WeightStore& weights, builder::ProgramBuilder& program) {
    std::vector<LoweredMethod> methods;
    NodeNames except(options.except);
    NodeNames only(options.only);
    for (const std::string& name : record.methods()) {
        ET_ASSIGN(EdgeMethod method, EdgeMethod::open(record, name));
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
