#include "tests/inspector/report_support.h"

#include "inspector/format/table.h"

#include <algorithm>

namespace et::test {
namespace {

using inspector::events::EventTableOptions;

/// Durations that differ between the runs, in ns.
struct Lengths {
    std::uint64_t execute, convolution, delegateCall, delegatedOperator;
};

void writeRun(etdump::TraceWriter& writer, std::uint64_t start, const Lengths& lengths) {
    const auto [whole, conv, call, part] = lengths;
    writer.beginRun("Execute");
    writer.profile("native_call_convolution.out", at(0), start + 15, start + 15 + conv);
    writer.profile("OPERATOR_CALL", at(0), start + 10, start + 20 + conv);
    const std::uint64_t second = start + 30 + conv;
    writer.profile("native_call__softmax.out", at(1), second + 5, second + 105);
    writer.profile("OPERATOR_CALL", at(1), second, second + 110);
    const std::uint64_t third = second + 120;
    writer.profile("", delegated(2, "Fully Connected (NC, F32) GEMM #1"), third + 30, third + 30 + part);
    writer.profile("", delegated(2, "Fully Connected (NC, F32) GEMM #2"), third + 30 + part,
                   third + 30 + 2 * part);
    writer.profile("DELEGATE_CALL", at(2), third, third + call);
    writer.profile("Method::execute", {.instruction = 0, .chain = -1}, start, start + whole);
}

std::shared_ptr<const etdump::Trace> sample() {
    etdump::TraceWriter writer;
    writer.beginRun("Default");
    writer.profile("Method::init", {.instruction = 0, .chain = -1}, 1100, 1900);
    writer.profile("Program::load_method", {.instruction = 0, .chain = -1}, 1000, 2000);
    writeRun(writer, 10'000,
             {.execute = 1000, .convolution = 300, .delegateCall = 400, .delegatedOperator = 150});
    writeRun(writer, 20'000,
             {.execute = 2000, .convolution = 500, .delegateCall = 600, .delegatedOperator = 200});
    return traceOf(writer);
}

void describe(etrecord::Node& node, const std::string& modules, const std::string& trace) {
    node.metadata.emplace_back("nn_module_stack", modules);
    node.metadata.emplace_back("stack_trace", trace);
}

std::shared_ptr<const etrecord::Record> sampleRecord() {
    const std::string root = "L__self__,,__main__.Simple";
    const std::string own = "File \"/src/model.py\", line 7, in forward\n    return s.f(x)";
    const std::string library =
        "\n  File \"/usr/lib/python3/dist-packages/torch/nn/modules/conv.py\", line 565, in forward";
    etrecord::ExportedGraph graph = edgeGraph(
        {"aten.convolution.default", "aten._softmax.default", "aten.linear.default", "aten.linear.default"});
    describe(graph.nodes[0], root + ";L__self__conv,conv,torch.nn.modules.conv.Conv2d", own + library);
    describe(graph.nodes[1], root, own);
    describe(graph.nodes[2], root + ";L__self__fc,fc,torch.nn.modules.linear.Linear", own);
    describe(graph.nodes[3], root + ";L__self__fc,fc,torch.nn.modules.linear.Linear", own);
    etrecord::MethodMaps maps = plainMaps(2);
    maps.debugHandles[core::InstructionId(2)] = {.handles = {core::DebugHandle(3), core::DebugHandle(4)},
                                                 .list = true};
    maps.delegates[core::InstructionId(2)] = {.backend = "XnnpackBackend", .identifiers = {}};
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward", graph);
    writer.setMaps("forward", maps);
    return recordOf(writer);
}

}  // namespace

Blocks sampleModel(inspector::JoinOptions options) {
    return join(sample(), sampleRecord(), std::move(options));
}

Blocks sampleTrace(inspector::JoinOptions options) {
    return join(sample(), nullptr, std::move(options));
}

std::string rendered(const Blocks& blocks, const EventTableOptions& options, inspector::format::Format format,
                     inspector::format::Style style) {
    const auto text = inspector::events::renderEvents(*blocks, options, format, style);
    EXPECT_TRUE(text) << text.error().toString();
    return text.value_or("");
}

std::vector<std::string> columnTexts(const Blocks& blocks, EventTableOptions options, const std::string& id) {
    const auto table = inspector::events::eventTable(*blocks, options);
    EXPECT_TRUE(table) << table.error().toString();
    std::vector<std::string> texts;
    if (table) {
        const auto column = std::ranges::find(table->columns, id, &inspector::format::Column::id);
        EXPECT_NE(column, table->columns.end()) << "no column " << id;
        for (const auto& row : table->rows) {
            texts.push_back(
                cellText(row[static_cast<std::size_t>(column - table->columns.begin())], *column));
        }
    }
    return texts;
}

simdjson::dom::element parsed(simdjson::dom::parser& parser, const std::string& json) {
    simdjson::dom::element element;
    const auto error = parser.parse(json).get(element);
    EXPECT_EQ(error, simdjson::SUCCESS) << simdjson::error_message(error) << "\n" << json.substr(0, 2000);
    return element;
}

}  // namespace et::test
