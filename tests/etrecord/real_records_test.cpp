// Tests of ETRecords written by ExecuTorch's exporter, against the results of its Inspector.
#include "etrecord/record.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <simdjson.h>

#include <set>

namespace et::etrecord {
namespace {

using core::DebugHandle;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Json = simdjson::dom::element;

std::shared_ptr<const Record> open(const std::filesystem::path& path) {
    const auto record = Record::open(path);
    EXPECT_TRUE(record) << record.error().toString();
    return record.value_or(nullptr);
}

/// Collects kinds unknown to torch.export, which must not occur in a real file.
void collectArguments(const std::vector<Argument>& arguments, std::set<std::string>& rawKinds) {
    const std::set<std::string> texts{"as_string", "as_operator", "as_device"};
    for (const Argument& argument : arguments) {
        if (std::holds_alternative<std::string>(argument.value) && !texts.contains(argument.kind)) {
            rawKinds.insert(argument.kind);
        }
    }
}

/// Checks invariants of the graphs of real ETRecords.
void checkGraph(const ExportedGraph& graph) {
    std::set<std::string> rawKinds;
    for (const Node& node : graph.nodes) {
        EXPECT_FALSE(node.name.empty());
        EXPECT_FALSE(node.op.empty());
        collectArguments(node.inputs, rawKinds);
        collectArguments(node.outputs, rawKinds);
        const bool hasHistory =
            std::ranges::any_of(node.metadata, [](const auto& entry) { return entry.first == "from_node"; });
        EXPECT_EQ(node.history().empty(), !hasHistory) << node.name;
        for (const Argument& output : node.outputs) {
            if (output.kind == "as_tensor") {
                EXPECT_TRUE(graph.tensors.contains(std::get<ValueRef>(output.value).name)) << node.name;
            }
        }
    }
    EXPECT_THAT(rawKinds, IsEmpty());
    for (const auto& [name, tensor] : graph.tensors) {
        EXPECT_NE(tensor.scalarType, unknownScalarType) << name;
        EXPECT_EQ(tensor.sizes.size(), tensor.strides.size()) << name;
    }
    EXPECT_EQ(graph.inputs.size(), graph.inputSpecs.size());
    EXPECT_EQ(graph.outputs.size(), graph.outputSpecs.size());
    const std::string json = serializeExportedGraph(graph);
    const auto again = parseExportedGraph(std::as_bytes(std::span(json)), "again");
    ASSERT_TRUE(again) << again.error().toString();
    EXPECT_EQ(*again, graph);
}

TEST(RealRecords, EveryRecordOpensWhole) {
    ET_NEEDS_SHARED_DATA();
    const auto paths = test::sharedFiles("programs", ".etrecord");
    EXPECT_GT(paths.size(), 0U);
    for (const auto& path : paths) {
        SCOPED_TRACE(path.string());
        const auto record = open(path);
        ASSERT_NE(record, nullptr);
        EXPECT_EQ(record->layout(), RecordLayout::Current);
        for (const std::string& method : record->methods()) {
            checkGraph(*record->edgeGraph(method));
            EXPECT_EQ(record->edgeGraph(method)->dialect, "EDGE");
            EXPECT_NE(record->maps(method), nullptr);
        }
        const auto exported = record->exportedProgram();
        ASSERT_TRUE(exported) << exported.error().toString();
        if (*exported != nullptr) {
            checkGraph(**exported);
            EXPECT_EQ((*exported)->dialect, "TRAINING");
        }
        for (const std::string& name : record->extraGraphNames()) {
            const auto graph = record->extraGraph(name);
            ASSERT_TRUE(graph) << graph.error().toString();
            checkGraph(**graph);
        }
        EXPECT_TRUE(record->hasDelegateMap());
        const auto tensors = record->listTensors();
        EXPECT_TRUE(tensors) << tensors.error().toString();
    }
}

TEST(RealRecords, HandleMapsPointIntoTheEdgeGraph) {
    ET_NEEDS_SHARED_DATA();
    std::size_t handles = 0;
    for (const auto& path : test::sharedFiles("programs", ".etrecord")) {
        SCOPED_TRACE(path.string());
        const auto record = open(path);
        ASSERT_NE(record, nullptr);
        for (const std::string& method : record->methods()) {
            // A graph recorded after lowering has its operators inside the delegate call.
            if (std::ranges::contains(record->edgeGraph(method)->nodes, "executorch_call_delegate",
                                      &Node::op)) {
                continue;
            }
            for (const auto& [instruction, entry] : record->maps(method)->debugHandles) {
                for (const DebugHandle handle : entry.handles) {
                    EXPECT_FALSE(record->edgeGraph(method)->nodesOf(handle).empty())
                        << method << " " << instruction.value << ": " << handle.value;
                    ++handles;
                }
            }
        }
    }
    EXPECT_GT(handles, 0U);
}

/// Checks that every parameter and buffer of the Edge graph has its tensor in the archive, with the same
/// dtype and size.
TEST(RealRecords, StateDictsHoldTheTensorsThatTheGraphNames) {
    ET_NEEDS_SHARED_DATA();
    std::size_t compared = 0;
    for (const auto& path : test::sharedFiles("programs", ".etrecord")) {
        SCOPED_TRACE(path.string());
        const auto record = open(path);
        ASSERT_NE(record, nullptr);
        for (const std::string& method : record->methods()) {
            const auto tensors =
                record->listTensors("edge_dialect_exported_program/" + method + "_state_dict");
            ASSERT_TRUE(tensors) << tensors.error().toString();
            for (const InputSpec& spec : record->edgeGraph(method)->inputSpecs) {
                const auto tensor = std::ranges::find(*tensors, spec.target, &ArchivedTensor::name);
                const bool state = spec.kind == "parameter" || (spec.kind == "buffer" && spec.persistent);
                if (!state || tensor == tensors->end()) {
                    EXPECT_FALSE(spec.kind == "parameter") << spec.target << " is not in the archive";
                    continue;
                }
                const TensorMeta& meta = record->edgeGraph(method)->tensors.at(spec.value);
                EXPECT_EQ(tensor->scalarType, meta.scalarType) << spec.target;
                std::vector<std::int64_t> sizes;
                std::ranges::transform(meta.sizes, std::back_inserter(sizes), &SymInt::value);
                EXPECT_EQ(tensor->sizes, sizes) << spec.target;
                ++compared;
            }
        }
    }
    EXPECT_GT(compared, 0U);
}

TEST(RealRecords, HistoryEndsAtTheExportedGraph) {
    ET_NEEDS_SHARED_DATA();
    const auto record = open(test::sharedData() / "programs/simple/portable.etrecord");
    ASSERT_NE(record, nullptr);
    ASSERT_TRUE(record->exportGraphId());
    std::size_t traced = 0;
    for (const Node& node : record->edgeGraph("forward")->nodes) {
        const auto history = node.history();
        traced += !history.empty() && history.back().graphId == *record->exportGraphId() ? 1 : 0;
    }
    EXPECT_GT(traced, 0U);
}

TEST(RealRecords, ReadsSeveralMethods) {
    ET_NEEDS_SHARED_DATA();
    const auto record = open(test::sharedData() / "programs/multi_method/mixed.etrecord");
    ASSERT_NE(record, nullptr);
    EXPECT_GT(record->methods().size(), 1U);
}

TEST(RealRecords, ReadsTheRecordOf2023) {
    ET_NEEDS_SHARED_DATA();
    const auto record = open(test::sharedData() / "legacy/etrecord_2023.bin");
    ASSERT_NE(record, nullptr);
    EXPECT_EQ(record->layout(), RecordLayout::Legacy2023);
    EXPECT_THAT(record->methods(), ElementsAre("forward"));
    const ExportedGraph* graph = record->edgeGraph("forward");
    ASSERT_EQ(graph->nodes.size(), 1U);
    EXPECT_EQ(graph->nodes[0].op, "aten.mul.Tensor");
    EXPECT_EQ(graph->nodes[0].name, "aten_mul_tensor");
    EXPECT_THAT(graph->nodesOf(DebugHandle(2)), ElementsAre(0U));
    EXPECT_EQ(graph->tensors.at("arg0_1").sizes[0].value, 3);
    EXPECT_THAT(record->extraGraphNames(), ElementsAre("aten_dialect_output/forward"));
    EXPECT_TRUE(record->extraGraph("aten_dialect_output/forward"));
    const auto tensors = record->listTensors();
    ASSERT_TRUE(tensors) << tensors.error().toString();
    EXPECT_THAT(*tensors, IsEmpty());
}

/// Verdicts of broken/manifest.json: "error" means an error of the ETRecord or of its tensors.
TEST(RealRecords, BrokenRecordsGetTheirVerdict) {
    ET_NEEDS_SHARED_DATA();
    simdjson::dom::parser parser;
    std::size_t judged = 0;
    for (const simdjson::dom::element entry :
         parser.load((test::sharedData() / "broken/manifest.json").string())) {
        const std::string file(entry["file"].get_string().value());
        if (!file.ends_with(".etrecord")) {
            continue;
        }
        SCOPED_TRACE(file);
        const auto record = Record::open(test::sharedData() / "broken" / file);
        const auto tensors = record ? (*record)->listTensors() : std::unexpected(record.error());
        const bool expectError = entry["verdict"].get_string().value() == "error";
        EXPECT_EQ(tensors.has_value(), !expectError);
        if (!tensors) {
            EXPECT_THAT(tensors.error().toString(), HasSubstr(file + ": "));
        }
        ++judged;
    }
    EXPECT_GT(judged, 0U);
}

simdjson::dom::array listAt(const Json& object, std::string_view key) {
    return object.at_key(key).get_array();
}

simdjson::dom::object membersOf(const Json& value) {
    return value.get_object();
}

/// Returns the debug handles of an event as listed by the Inspector: none, one or several.
std::vector<DebugHandle> handlesOf(const Json& event) {
    const Json handles = event["debug_handles"].value();
    std::vector<DebugHandle> list;
    if (handles.is_int64()) {
        list.emplace_back(handles.get_int64().value());
    } else if (handles.is_array()) {
        for (const Json handle : listAt(event, "debug_handles")) {
            list.emplace_back(handle.get_int64().value());
        }
    }
    return list;
}

/// Returns "{path: [fqn, type]}" of a node, like the Inspector's module hierarchy.
std::vector<std::string> framesOf(const Json& hierarchy) {
    std::vector<std::string> frames;
    for (const auto [path, frame] : membersOf(hierarchy)) {
        frames.push_back(fmt::format("{}|{}|{}", path, frame.at(0).get_string().value(),
                                     frame.at(1).get_string().value()));
    }
    return frames;
}

/// The Inspector shows no operators for the runtime's own rows, although they carry the handle of instruction
/// 0, nor operators of a library that was not loaded when the goldens were made.
bool inspectorShowsOps(const Json& event, const ExportedGraph& graph) {
    const std::string_view name = event["name"].get_string().value();
    const auto isForeign = [&](DebugHandle handle) {
        return std::ranges::any_of(graph.nodesOf(handle), [&](NodeIndex index) {
            return graph.nodes[index].op.starts_with("llama.");
        });
    };
    return !name.starts_with("Method::") && !name.starts_with("Program::") &&
           std::ranges::none_of(handlesOf(event), isForeign);
}

void compareEvent(const ExportedGraph& graph, const Json& event) {
    std::vector<std::string> expectedOps;
    for (const Json op : listAt(event, "op_types")) {
        expectedOps.emplace_back(op.get_string().value());
    }
    std::vector<std::string> ops;
    std::map<std::string, const Node*> nodes;  // the Inspector appends "_" to node names
    for (const DebugHandle handle : handlesOf(event)) {
        for (const NodeIndex index : graph.nodesOf(handle)) {
            ops.push_back(graph.nodes[index].op);
            nodes[graph.nodes[index].name + "_"] = &graph.nodes[index];
        }
    }
    EXPECT_EQ(expectedOps, inspectorShowsOps(event, graph) ? ops : std::vector<std::string>());
    for (const auto [name, trace] : membersOf(event["stack_traces"])) {
        ASSERT_TRUE(nodes.contains(std::string(name))) << name;
        EXPECT_EQ(nodes.at(std::string(name))->stackTrace, trace.is_null() ? "" : trace.get_string().value());
    }
    for (const auto [name, hierarchy] : membersOf(event["module_hierarchy"])) {
        ASSERT_TRUE(nodes.contains(std::string(name))) << name;
        std::vector<std::string> frames;
        for (const ModuleFrame& frame : nodes.at(std::string(name))->moduleStack) {
            frames.push_back(fmt::format("{}|{}|{}", frame.path, frame.fqn, frame.type));
        }
        EXPECT_EQ(frames, framesOf(hierarchy)) << name;
    }
}

TEST(RealRecords, GraphsMatchTheReferenceInspector) {
    ET_NEEDS_SHARED_DATA();
    simdjson::dom::parser manifestParser;
    simdjson::dom::parser parser;
    const Json manifest = manifestParser.load((test::sharedData() / "manifest.json").string());
    std::size_t events = 0;
    for (const Json trace : listAt(manifest, "traces")) {
        const auto golden = test::sharedData() / "traces" / std::string(trace["trace"].get_string().value()) /
                            "inspector.json";
        std::string_view recordPath;
        if (trace["etrecord"].get(recordPath) != simdjson::SUCCESS || !std::filesystem::exists(golden)) {
            continue;
        }
        SCOPED_TRACE(golden.string());
        const auto record = open(test::sharedData() / recordPath);
        ASSERT_NE(record, nullptr);
        const simdjson::dom::array blocks = parser.load(golden.string());
        for (const Json block : blocks) {
            for (const Json event : listAt(block, "events")) {
                compareEvent(*record->edgeGraph("forward"), event);
                ++events;
            }
        }
    }
    EXPECT_GT(events, 0U);
}

}  // namespace
}  // namespace et::etrecord
