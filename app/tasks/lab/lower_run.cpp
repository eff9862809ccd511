#include "app/tasks/lab/lower_run.h"

#include "app/tasks/base/interruption.h"
#include "app/tasks/base/output_file.h"
#include "app/tasks/base/package_file.h"
#include "app/tasks/base/program_file.h"
#include "app/tasks/base/progress_reporter.h"
#include "app/tasks/lab/lower_program.h"
#include "backends/lowering/record_maps.h"
#include "backends/reference/node_values.h"
#include "backends/xnnpack/lower/partitioner.h"
#include "etrecord/writer.h"
#include "inspector/names/python_stack.h"
#include "runtime/kernels/builtin.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using core::Result;
using etrecord::ExportedGraph;
using etrecord::Node;

/// Referent of a word in a message.
struct Referent {
    const Node* node = nullptr;
    std::string_view how{};  ///< if the word names a value instead of the node: how the node uses it
};

/// Maps words of a message to nodes in the graphs of a method.
class NamedPlaces {
  public:
    explicit NamedPlaces(const ExportedGraph& graph) { add(graph); }

    [[nodiscard]] std::optional<Referent> of(std::string_view word, bool quoted) const {
        const auto named = std::ranges::find(nodes, word, &Node::name);
        if (named != nodes.end()) {
            return Referent{.node = *named};
        }
        return quoted ? ofValue(word) : std::nullopt;
    }

  private:
    void add(const ExportedGraph& graph) {
        for (const Node& node : graph.nodes) {
            nodes.push_back(&node);
            for (const etrecord::Argument& argument : node.inputs) {
                if (const auto* inner =
                        std::get_if<std::shared_ptr<const etrecord::GraphRef>>(&argument.value)) {
                    add((*inner)->graph);
                }
            }
        }
    }

    [[nodiscard]] std::optional<Referent> ofValue(std::string_view value) const {
        const auto has = [&](const std::vector<etrecord::Argument>& arguments) {
            return std::ranges::contains(backends::reference::namesIn(arguments), value);
        };
        const auto maker = std::ranges::find_if(nodes, [&](const Node* node) { return has(node->outputs); });
        if (maker != nodes.end()) {
            return Referent{.node = *maker, .how = "made by"};
        }
        const auto reader = std::ranges::find_if(nodes, [&](const Node* node) { return has(node->inputs); });
        return reader == nodes.end() ? std::nullopt
                                     : std::optional(Referent{.node = *reader, .how = "read by"});
    }

    std::vector<const Node*> nodes;
};

Result<> writeRecord(const LowerSettings& settings, const LowerResult& result) {
    if (settings.recordOutput.empty()) {
        return {};
    }
    ET_ASSIGN(const core::FileContent record, etrecord::replaceMaps(*result.record, mapsOf(result.lowered)));
    return writeFile(settings.recordOutput, record);
}

/// Whether a program was exported with the record: it has all its methods.
bool belongsTo(const program::Program& program, const etrecord::Record& record) {
    return std::ranges::all_of(
        record.methods(), [&](const std::string& method) { return program.findMethod(method) != nullptr; });
}

/// The program whose constant methods are kept; null: none.
Result<std::shared_ptr<const program::Program>> constantsOf(const LowerSettings& settings,
                                                            const etrecord::Record& record) {
    if (!settings.constants.empty()) {
        return ProgramFile::open(settings.constants).transform([](ProgramFile file) {
            return std::move(file.program);
        });
    }
    for (const char* extension : {".pte", ".bpte"}) {
        std::filesystem::path path = settings.record;
        std::error_code unknown;
        if (path.empty() || !std::filesystem::is_regular_file(path.replace_extension(extension), unknown) ||
            std::filesystem::equivalent(path, settings.record, unknown)) {
            continue;
        }
        const auto file = ProgramFile::open(path);
        if (file && belongsTo(*file->program, record)) {
            return file->program;
        }
    }
    return nullptr;
}

}  // namespace

std::string pythonLine(const Node& node) {
    const auto frames = inspector::parseFrames(node.stackTrace);
    const auto frame = inspector::ownFrame(frames);
    if (!frame) {
        return {};
    }
    return fmt::format("{}:{}", core::printable(frame->path.substr(frame->path.rfind('/') + 1)), frame->line);
}

core::Error withPythonLine(core::Error error, const etrecord::Record& record, std::string_view method) {
    const ExportedGraph* const graph = record.edgeGraph(method);
    if (graph == nullptr) {
        return error;
    }
    const NamedPlaces places(*graph);
    constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const std::string_view message = error.message;
    std::size_t start = message.find_first_of(letters);
    while (start != std::string_view::npos) {
        const std::size_t end = std::min(message.find_first_not_of(letters, start), message.size());
        const bool quoted =
            start > 0 && message[start - 1] == '"' && end < message.size() && message[end] == '"';
        const auto place = places.of(message.substr(start, end - start), quoted);
        const std::string line = place ? pythonLine(*place->node) : std::string();
        if (!line.empty()) {
            const std::string text =
                place->how.empty()
                    ? fmt::format(" ({})", line)
                    : fmt::format(" ({} {}, {})", place->how, core::printable(place->node->name), line);
            error.message += message.ends_with(text) ? std::string() : text;
            return error;
        }
        start = message.find_first_of(letters, end);
    }
    return error;
}

Result<LowerResult> lower(const LowerSettings& settings) {
    for (const auto& output : {settings.output, settings.recordOutput}) {
        if (!output.empty()) {
            ET_TRY(refuseToReplace(output, {settings.record}));
        }
    }
    ET_ASSIGN(auto file, core::MappedFile::open(settings.record));
    constexpr std::string_view zip = "PK";
    if (!std::string_view(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size())
             .starts_with(zip)) {
        return lowerProgram(std::move(file), settings);
    }
    using backends::native::QuantizedConstants;
    // XNNPACK multiplies integers only by quantized operands.
    const auto quantized = settings.backend == LowerBackend::None ? QuantizedConstants::Kept
                           : settings.dynamicProducts             ? QuantizedConstants::DynamicProducts
                                                                  : QuantizedConstants::Floats;
    ET_ASSIGN(auto record, parseQuantizedRecord(std::move(file), quantized));
    return lowerOpened(std::move(record), settings);
}

Result<LowerResult> lowerOpened(std::shared_ptr<const etrecord::Record> record,
                                const LowerSettings& settings) {
    LowerResult result;
    result.record = std::move(record);
    backends::lowering::LowerOptions options{
        .kernels = kernels::builtin(), .partitioner = {}, .except = settings.except, .only = settings.only};
    options.partitioner = partitionerOf(settings);
    ET_ASSIGN(const auto constants, constantsOf(settings, *result.record));
    options.constants = constants.get();
    if (settings.progress != nullptr) {
        std::size_t nodes = 0;
        for (const std::string& method : result.record->methods()) {
            const ExportedGraph* const graph = result.record->edgeGraph(method);
            nodes += graph == nullptr ? 0 : graph->nodes.size();
        }
        settings.progress->begin("lower", nodes);
    }
    const auto named = [&](core::Error error) {
        for (const std::string& method : result.record->methods()) {
            error = withPythonLine(std::move(error), *result.record, method);
        }
        return std::move(error).in(settings.record.string());
    };
    ET_ASSIGN(result.lowered,
              backends::lowering::lowerRecord(*result.record, options).transform_error(named));
    if (settings.inPieces) {
        return result;
    }
    beginWriting(settings);
    const core::FileContent made = std::exchange(result.lowered.file, {});
    ET_TRY(writeChecked(settings.output, made, [&](std::shared_ptr<const core::MappedFile> file) -> Result<> {
        ET_ASSIGN(result.program, program::Program::parse(std::move(file)));
        result.lowered.file = contentOf(result.program);
        return writeRecord(settings, result).and_then([&] { return checkInterruption(settings); });
    }));
    return result;
}

backends::lowering::Partitioner partitionerOf(const LowerSettings& settings) {
    if (settings.backend != LowerBackend::Xnnpack) {
        return {};
    }
    if (settings.progress == nullptr) {
        return backends::xnnpack::makePartitioner(kernels::builtin(), {}, settings.partition);
    }
    const auto watch = [progress = settings.progress] {
        progress->step();
        return InterruptionGuard::check();
    };
    return backends::xnnpack::makePartitioner(kernels::builtin(), watch, settings.partition);
}

Result<> checkInterruption(const LowerSettings& settings) {
    return settings.progress == nullptr ? Result<>() : InterruptionGuard::check();
}

void beginWriting(const LowerSettings& settings) {
    if (settings.progress != nullptr) {
        settings.progress->begin("write", 1);
    }
}

core::FileContent contentOf(const std::shared_ptr<const program::Program>& program) {
    core::FileContent content;
    content.appendBorrowed(program->bytes);
    content.keepAlive(program);
    return content;
}

Result<> writeLowered(const LowerSettings& settings, const LowerResult& result) {
    ET_TRY(writeRecord(settings, result));
    return settings.output.empty()
               ? Result<>()
               : writeChecked(settings.output, result.lowered.file,
                              [](std::shared_ptr<const core::MappedFile> written) {
                                  return program::Program::parse(std::move(written)).transform([](auto&&) {});
                              });
}

}  // namespace et::tasks
