// Fuzzes the interpreter: a graph, as JSON or in an ETRecord, run with small limits on inputs of its declared
// sizes.
#include "backends/reference/interpreter.h"
#include "etrecord/record.h"
#include "etrecord/writer.h"
#include "runtime/kernels/builtin.h"
#include "tests/fuzz/support/json_mutator.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <tuple>
#include <vector>

namespace {

using et::backends::reference::Interpreter;
using et::backends::reference::InterpreterOptions;
using et::backends::reference::Precision;
using et::backends::reference::ReferenceTensor;
using et::backends::reference::ReferenceValue;
using et::etrecord::ExportedGraph;
using et::etrecord::Record;

constexpr std::int64_t maxBytes = 1 << 16;  ///< bytes of an input

std::shared_ptr<const Record> recordOf(std::span<const std::byte> bytes) {
    constexpr std::string_view zip = "PK";
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    std::vector<std::byte> file(bytes.begin(), bytes.end());
    if (!text.starts_with(zip)) {
        const auto graph = et::etrecord::parseExportedGraph(bytes, "fuzz");
        if (!graph) {
            return nullptr;
        }
        et::etrecord::RecordWriter writer;
        writer.addEdgeGraph("forward", *graph);
        auto written = writer.finish();
        if (!written) {
            return nullptr;
        }
        file = *std::move(written);
    }
    return Record::parse(et::core::MappedFile::fromMemory(std::move(file))).value_or(nullptr);
}

/// Returns zeros of the declared dtype and sizes; a scalar if none are declared.
ReferenceValue inputOf(const ExportedGraph& graph, const std::string& name) {
    const auto meta = graph.tensors.find(name);
    if (meta == graph.tensors.end()) {
        return {std::int64_t{1}};
    }
    std::vector<std::int64_t> sizes;
    for (const auto& size : meta->second.sizes) {
        sizes.push_back(size.value);
    }
    const auto bytes = et::core::tensorBytes(meta->second.scalarType, sizes);
    if (!bytes || *bytes > maxBytes) {
        return {};
    }
    const auto memory = std::make_shared<std::vector<std::byte>>(static_cast<std::size_t>(*bytes) + 16);
    auto view = et::core::Tensor::make(static_cast<et::core::ScalarType>(meta->second.scalarType), sizes,
                                       memory->data());
    return view ? ReferenceValue{ReferenceTensor{.view = *view, .owner = memory}} : ReferenceValue{};
}

void runGraph(const Record& record, std::string_view method, Precision precision) {
    const et::kernels::ThreadPool threads;
    const InterpreterOptions options{.kernels = et::kernels::builtin(),
                                     .threads = threads,
                                     .precision = precision,
                                     .memoryBytes = 1 << 20,
                                     .steps = 2000};
    const auto interpreter = Interpreter::edge(record, method, options);
    if (!interpreter) {
        std::ignore = interpreter.error().toString();
        return;
    }
    const ExportedGraph& graph = (*interpreter)->graph();
    std::vector<ReferenceValue> inputs;
    for (const auto& spec : graph.inputSpecs) {
        if (spec.kind == "user_input" || spec.kind == "constant_input") {
            inputs.push_back(inputOf(graph, spec.value));
        }
    }
    for (int times = 0; times < 2; ++times) {
        if (const auto outputs = (*interpreter)->run(inputs); !outputs) {
            std::ignore = outputs.error().toString();
        }
    }
    std::vector<et::etrecord::NodeIndex> nodes(std::min<std::size_t>(graph.nodes.size(), 2));
    std::ranges::generate(nodes, [next = et::etrecord::NodeIndex{0}]() mutable { return next++; });
    std::ignore = (*interpreter)->replay(nodes, {});
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto record = recordOf(std::as_bytes(std::span(data, size)));
    if (record != nullptr) {
        for (const std::string& method : record->methods()) {
            runGraph(*record, method, Precision::AsExported);
            runGraph(*record, method, Precision::Double);
        }
    }
    return 0;
}
