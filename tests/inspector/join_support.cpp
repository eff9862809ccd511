#include "tests/inspector/join_support.h"

#include <algorithm>

namespace et::test {

Trace traceOf(etdump::TraceWriter& writer) {
    auto trace = etdump::Trace::parse(core::MappedFile::fromMemory(writer.finish().value(), "test.etdp"));
    EXPECT_TRUE(trace) << trace.error().toString();
    return trace.value_or(nullptr);
}

Record recordOf(const etrecord::RecordWriter& writer) {
    auto record =
        etrecord::Record::parse(core::MappedFile::fromMemory(writer.finish().value(), "test.etrecord"));
    EXPECT_TRUE(record) << record.error().toString();
    return record.value_or(nullptr);
}

Blocks join(Trace trace, Record record, inspector::JoinOptions options,
            std::shared_ptr<const core::MappedFile> debugBuffer) {
    auto blocks = inspector::EventBlocks::build(std::move(trace), std::move(record), std::move(debugBuffer),
                                                std::move(options));
    EXPECT_TRUE(blocks) << blocks.error().toString();
    return blocks.value_or(nullptr);
}

etdump::EventIds at(std::int32_t number) {
    return {.instruction = number, .chain = 0};
}

etdump::EventIds delegated(std::int32_t number, std::string_view identifier) {
    return {.instruction = number, .chain = 0, .delegateInt = -1, .delegateString = identifier};
}

etdump::EventIds delegated(std::int32_t number, std::int32_t identifier) {
    return {.instruction = number, .chain = 0, .delegateInt = identifier};
}

void writeKernel(etdump::TraceWriter& writer, std::int32_t instruction, std::string_view name,
                 std::uint64_t start, std::uint64_t ticks) {
    writer.profile(name, at(instruction), start, start + ticks);
    writer.profile("OPERATOR_CALL", at(instruction), start, start + ticks + 1);
}

void writeDelegateCall(etdump::TraceWriter& writer, std::int32_t instruction) {
    writer.profile("DELEGATE_CALL", at(instruction), 0, 100);
}

void writeExecute(etdump::TraceWriter& writer) {
    writer.profile("Method::execute", {.instruction = 0, .chain = -1}, 0, 1000);
}

etrecord::ExportedGraph edgeGraph(const std::vector<std::string>& operators) {
    etrecord::ExportedGraph graph;
    graph.dialect = "EDGE";
    for (const std::string& op : operators) {
        const auto handle = static_cast<std::int64_t>(graph.nodes.size() + 1);
        etrecord::Node& node = graph.nodes.emplace_back();
        node.name = "node_" + std::to_string(handle);
        node.target = "executorch.exir.dialects.edge.ops." + op;
        node.op = op;
        node.debugHandles = {core::DebugHandle(handle)};
        node.metadata = {{"debug_handle", std::to_string(handle)}};
    }
    graph.indexHandles();
    return graph;
}

etrecord::MethodMaps plainMaps(std::int32_t instructions) {
    etrecord::MethodMaps maps;
    for (std::int32_t i = 0; i < instructions; ++i) {
        maps.debugHandles[core::InstructionId(i)] = {.handles = {core::DebugHandle(i + 1)}, .list = false};
    }
    return maps;
}

Record recordFor(const std::vector<std::string>& operators) {
    etrecord::RecordWriter writer;
    writer.addEdgeGraph("forward", edgeGraph(operators));
    writer.setMaps("forward", plainMaps(static_cast<std::int32_t>(operators.size())));
    return recordOf(writer);
}

Trace traceFor(const std::vector<std::string>& kernels) {
    etdump::TraceWriter writer;
    writer.beginRun("Default");
    writer.profile("Method::init", {.instruction = 0}, 0, 1);
    writer.beginRun("Execute");
    for (std::size_t i = 0; i < kernels.size(); ++i) {
        writeKernel(writer, static_cast<std::int32_t>(i), "native_call_" + kernels[i]);
    }
    writeExecute(writer);
    return traceOf(writer);
}

const inspector::Event& eventNamed(const inspector::Block& block, std::string_view name) {
    static const inspector::Event none;
    const auto found = std::ranges::find(block.events, name, &inspector::Event::name);
    EXPECT_NE(found, block.events.end()) << "no event " << name;
    return found == block.events.end() ? none : *found;
}

std::vector<std::string> namesOf(const inspector::Block& block) {
    std::vector<std::string> names;
    for (const inspector::Event& event : block.events) {
        names.emplace_back(event.name);
    }
    return names;
}

std::vector<std::int64_t> handlesOf(const inspector::Event& event) {
    std::vector<std::int64_t> handles;
    for (const core::DebugHandle handle : event.handles) {
        handles.push_back(handle.value);
    }
    return handles;
}

}  // namespace et::test
