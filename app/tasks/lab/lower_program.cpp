#include "app/tasks/lab/lower_program.h"

#include "app/tasks/base/output_file.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/lab/method_rewrite.h"
#include "app/tasks/model/neighbour_data.h"
#include "backends/lowering/node_names.h"
#include "bundled_program/writer.h"
#include "etrecord/writer.h"
#include "inspector/memory/replan.h"
#include "inspector/names/python_stack.h"
#include "runtime/builder/program_draft.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace et::tasks {
namespace {

using backends::lowering::NodeNames;
using backends::lowering::WeightStore;
using core::DebugHandle;
using core::ErrorCode;
using core::fail;
using core::InstructionId;
using core::Result;
using etrecord::MethodMaps;
using etrecord::Node;
using program::TensorInfo;

using DataFiles = std::vector<std::shared_ptr<const program::TensorData>>;

/// Methods may share tensors in these arenas, which each method expects at the same address.
constexpr std::uint32_t firstSharedMemory = 2;

/// Gives each tensor its own memory, except in arenas shared by methods.
Result<> spread(program::Method& method, bool isOnlyMethod) {
    const program::Method before = method;
    ET_TRY(inspector::spreadPlan(method));
    if (isOnlyMethod) {
        return {};
    }
    for (std::size_t i = 0; i < method.values.size(); ++i) {
        const auto* old = before.values[i].as<TensorInfo>();
        if (old != nullptr && old->allocation && old->allocation->arena.value >= firstSharedMemory) {
            method.values[i].as<TensorInfo>()->allocation = old->allocation;
        }
    }
    for (std::size_t i = firstSharedMemory; i < before.arenas.size(); ++i) {
        method.arenas[i] = before.arenas[i];
    }
    return {};
}

/// Returns the method with the data of constants stored in other files.
program::Method withData(program::Method method, const DataFiles& files) {
    for (program::Value& value : method.values) {
        auto* tensor = value.as<TensorInfo>();
        if (tensor == nullptr || tensor->initialData != program::InitialData::External || !tensor->byteSize) {
            continue;
        }
        for (const auto& file : files) {
            const auto* entry = file->find(tensor->name);
            if (entry != nullptr && entry->layout && entry->layout->scalarType == tensor->scalarType &&
                entry->layout->sizes == tensor->sizes && entry->layout->dimOrder == tensor->dimOrder &&
                std::cmp_greater_equal(entry->data.size(), *tensor->byteSize)) {
                tensor->data = entry->data.first(static_cast<std::size_t>(*tensor->byteSize));
                tensor->initialData = program::InitialData::Program;
                break;
            }
        }
    }
    return method;
}

/// Formats a stack the way Python prints it.
std::string stackText(std::span<const inspector::PythonFrame> frames) {
    std::string text;
    for (const inspector::PythonFrame& frame : frames) {
        text += fmt::format("  File \"{}\", line {}, in {}\n    {}\n", frame.path, frame.line, frame.function,
                            frame.code);
    }
    return text;
}

/// Information of record and program about the instructions of a method.
class Notes {
  public:
    Notes(const program::Method& of, const etrecord::Record* with) : method(of) {
        if (with != nullptr) {
            maps = with->maps(method.name);
            graph = with->edgeGraph(method.name);
        }
    }

    void add(std::size_t instruction, Node& node) const {
        const InstructionId id(static_cast<std::int32_t>(instruction));
        const Node* edge = nullptr;
        if (const auto* entry = handlesOf(id)) {
            node.debugHandles = entry->handles;
            edge = edgeNode(entry->handles, node.op);
        }
        if (edge != nullptr) {
            node.stackTrace = edge->stackTrace;
            node.moduleStack = edge->moduleStack;
        } else {
            node.stackTrace = stackText(inspector::parseFrames(method, id));
        }
    }

  private:
    [[nodiscard]] const etrecord::HandleEntry* handlesOf(InstructionId id) const {
        if (maps == nullptr) {
            return nullptr;
        }
        const auto found = maps->debugHandles.find(id);
        return found == maps->debugHandles.end() ? nullptr : &found->second;
    }

    /// Returns the node of the same operator, else the first.
    [[nodiscard]] const Node* edgeNode(std::span<const DebugHandle> handles, std::string_view op) const {
        const Node* first = nullptr;
        for (const DebugHandle handle : graph == nullptr ? std::span<const DebugHandle>() : handles) {
            for (const etrecord::NodeIndex index : graph->nodesOf(handle)) {
                const Node& node = graph->nodes[index];
                if (node.op == op) {
                    return &node;
                }
                first = first == nullptr ? &node : first;
            }
        }
        return first;
    }

    const program::Method& method;
    const MethodMaps* maps = nullptr;
    const etrecord::ExportedGraph* graph = nullptr;
};

/// Returns the maps of the new program's record: unchanged instructions keep their entries.
MethodMaps mapsOf(const RewrittenMethod& made, const MethodMaps& before) {
    MethodMaps maps;
    const auto& partition = made.lowered.partition;
    for (const auto& [instruction, origin] : made.lowered.emitted.origins) {
        if (const auto old = made.instructions[static_cast<std::size_t>(instruction.value)]) {
            const InstructionId from(static_cast<std::int32_t>(*old));
            const auto copy = [&](const auto& of, auto& to) {
                if (const auto found = of.find(from); found != of.end()) {
                    to.emplace(instruction, found->second);
                }
            };
            copy(before.debugHandles, maps.debugHandles);
            copy(before.delegates, maps.delegates);
            copy(before.outputCounts, maps.outputCounts);
            continue;
        }
        const auto& part = partition.parts[std::get<std::size_t>(origin)];
        std::set<DebugHandle> handles;
        for (const auto node : part.nodes) {
            const auto& own = made.lowered.graph->nodes[node].debugHandles;
            handles.insert(own.begin(), own.end());
        }
        maps.debugHandles[instruction] = {.handles = {handles.begin(), handles.end()}, .list = true};
        maps.delegates[instruction] = {.backend = part.backend, .identifiers = {}};
    }
    return maps;
}

class ProgramLowering {
  public:
    ProgramLowering(const LowerSettings& what, ProgramFile of)
        : settings(what),
          file(std::move(of)),
          draft(file.program),
          except(what.except),
          only(what.only),
          partitioner(partitionerOf(what)) {}

    Result<LowerResult> run() {
        ET_TRY(open());
        auto& methods = draft.content().methods;
        beginProgress();
        for (const program::NamedData& each : file.program->namedData) {
            weights.keep(each.key, each.data);
        }
        for (program::Method& method : methods) {
            ET_TRY(lower(method, methods.size() == 1));
        }
        ET_TRY(except.requireAll());
        ET_TRY(only.requireAll());
        addWeights();
        draft.dropUnused();
        draft.dropUnusedTables();
        ET_ASSIGN(const auto plans,
                  inspector::replan(methods, {.algorithm = inspector::ReplanAlgorithm::Greedy}));
        LowerResult result{.record = record, .lowered = {}, .program = {}};
        ET_ASSIGN(result.lowered.file, content());
        if (!settings.inPieces) {
            beginWriting(settings);
            ET_ASSIGN(result.program, write(result.lowered.file));
            result.lowered.file = contentOf(result.program);
        }
        for (std::size_t i = 0; i < made.size(); ++i) {
            made[i].lowered.plannedBytes = methods[i].plannedBytes();
            result.lowered.methods.push_back(std::move(made[i].lowered));
        }
        return result;
    }

  private:
    void beginProgress() const {
        std::size_t instructions = 0;
        for (const program::Method& method : draft.content().methods) {
            for (const program::Chain& chain : method.chains) {
                instructions += chain.instructions.size();
            }
        }
        if (settings.progress != nullptr) {
            settings.progress->begin("lower", instructions);
        }
    }

    Result<> open() {
        if (!settings.programRecord.empty()) {
            ET_ASSIGN(record, openRecord(settings.programRecord));
        } else if (!settings.recordOutput.empty()) {
            return fail(ErrorCode::InvalidArgument,
                        "the new program's record is derived from the original one: give --etrecord");
        }
        ET_ASSIGN(tensorData, openTensorData(settings.data));
        if (settings.data.empty()) {
            ET_ASSIGN(const auto beside, findTensorData(*file.program, settings.record));
            std::ranges::transform(beside, std::back_inserter(tensorData), &NeighbourData::data);
        }
        return {};
    }

    Result<> lower(program::Method& method, bool isOnly) {
        ET_TRY(spread(method, isOnly));
        const program::Method constants = withData(method, tensorData);
        const Notes notes(constants, record.get());
        const NodeNotes add = [&](std::size_t instruction, Node& node) { notes.add(instruction, node); };
        const auto mayTake = [&](const Node& node) {
            const bool excepted = except.has(node);
            const bool chosen = only.has(node) || only.empty();
            return chosen && !excepted;
        };
        ET_ASSIGN(
            auto rewritten,
            rewriteMethod(
                method, constants,
                {.kernels = kernels::builtin(), .partitioner = partitioner, .mayTake = mayTake, .notes = add},
                weights));
        made.push_back(std::move(rewritten));
        return {};
    }

    /// The program's own data come first, unchanged.
    void addWeights() {
        auto& named = draft.content().namedData;
        for (const auto& [key, bytes] : weights.all()) {
            if (file.program->findNamedData(key) == nullptr) {
                named.push_back({.key = key, .segment = {}, .data = bytes});
            }
        }
    }

    Result<> writeRecord() const {
        if (settings.recordOutput.empty()) {
            return {};
        }
        std::map<std::string, MethodMaps, std::less<>> maps;
        for (const RewrittenMethod& each : made) {
            const MethodMaps* before = record->maps(each.lowered.name);
            maps.emplace(each.lowered.name, mapsOf(each, before == nullptr ? MethodMaps() : *before));
        }
        ET_ASSIGN(const core::FileContent changed, etrecord::replaceMaps(*record, maps));
        return writeFile(settings.recordOutput, changed);
    }

    /// The program, or the bundle with it; borrows from this object.
    [[nodiscard]] Result<core::FileContent> content() const {
        ET_ASSIGN(core::FileContent content, draft.file());
        if (file.bundle != nullptr) {
            ET_ASSIGN(content, bundled_program::bundleFile(content, file.bundle->suites));
        }
        return content;
    }

    /// Writes the file, and returns the program in it as read again.
    Result<std::shared_ptr<const program::Program>> write(const core::FileContent& content) const {
        std::shared_ptr<const program::Program> program;
        ET_TRY(writeChecked(settings.output, content,
                            [&](std::shared_ptr<const core::MappedFile> written) -> Result<> {
                                ET_ASSIGN(auto read, ProgramFile::parse(std::move(written)));
                                program = std::move(read.program);
                                return writeRecord().and_then([&] { return checkInterruption(settings); });
                            }));
        return program;
    }

    const LowerSettings& settings;
    ProgramFile file;
    builder::ProgramDraft draft;
    NodeNames except;
    NodeNames only;
    backends::lowering::Partitioner partitioner;
    std::shared_ptr<const etrecord::Record> record;
    DataFiles tensorData;
    WeightStore weights;
    std::vector<RewrittenMethod> made;
};

Result<> refuseOtherInputs(const LowerSettings& settings) {
    std::vector<std::filesystem::path> inputs = settings.data;
    if (!settings.programRecord.empty()) {
        inputs.push_back(settings.programRecord);
    }
    for (const auto& output : {settings.output, settings.recordOutput}) {
        if (!output.empty()) {
            ET_TRY(refuseToReplace(output, inputs));
        }
    }
    return {};
}

}  // namespace

Result<LowerResult> lowerProgram(std::shared_ptr<const core::MappedFile> opened,
                                 const LowerSettings& settings) {
    ET_TRY(refuseOtherInputs(settings));
    ET_ASSIGN(ProgramFile file, ProgramFile::parse(std::move(opened)));
    const auto lowering = std::make_shared<ProgramLowering>(settings, std::move(file));
    auto result = lowering->run();
    if (!result) {
        return std::unexpected(std::move(result).error().in(settings.record.string()));
    }
    if (settings.inPieces) {
        result->lowered.file.keepAlive(lowering);
    }
    return result;
}

}  // namespace et::tasks
