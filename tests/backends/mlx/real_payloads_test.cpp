#include "backends/mlx/describe.h"
#include "backends/mlx/read_payload.h"
#include "backends/mlx/result_types.h"
#include "runtime/executor/module_data.h"
#include "runtime/program/program.h"
#include "tests/backends/open_payload_checks.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <simdjson.h>

#include <algorithm>
#include <filesystem>

// Compares payloads of upstream's compiler with what its own inspector prints.
namespace et::backends::mlx {
namespace {

namespace fs = std::filesystem;
using simdjson::dom::element;

/// The inspector's form of an item: {"tid":3}, or "tid 3" in a list of tensors.
std::string itemJson(const Item& item, bool inTensorList) {
    switch (item.kind) {
        case Item::Kind::Tensor:
            return inTensorList ? fmt::format("\"tid {}\"", item.number)
                                : fmt::format("{{\"tid\":{}}}", item.number);
        case Item::Kind::Value:
            return fmt::format("{{\"vid\":{}}}", item.number);
        case Item::Kind::Chain:
            return fmt::to_string(item.number);
        case Item::Kind::Bool:
            return item.whole != 0 ? "true" : "false";
        case Item::Kind::Float:
            return fmt::format("{:.9g}", item.real);
        default:
            return fmt::to_string(item.whole);
    }
}

bool isNumberField(FieldKind kind) {
    switch (kind) {
        case FieldKind::Number:
        case FieldKind::OptionalNumber:
        case FieldKind::Numbers:
        case FieldKind::Real:
        case FieldKind::NumberOrTensor:
            return true;
        default:
            return false;
    }
}

/// Literals of fields that may also name a value are in an object.
std::string itemOfField(const Item& item, FieldKind kind, bool inList) {
    const bool isLiteral = item.kind == Item::Kind::Int || item.kind == Item::Kind::Float;
    const std::string text = itemJson(item, inList);
    return isLiteral && isNumberField(kind) ? fmt::format("{{\"literal\":{}}}", text) : text;
}

std::string fieldJson(const Field& field, FieldKind kind) {
    std::string text;
    if (const auto* item = std::get_if<Item>(&field)) {
        return itemOfField(*item, kind, false);
    }
    if (const auto* items = std::get_if<std::vector<Item>>(&field)) {
        for (const Item& each : *items) {
            text += (text.empty() ? "" : ",") + itemOfField(each, kind, true);
        }
    }
    if (const auto* texts = std::get_if<std::vector<std::string_view>>(&field)) {
        for (const std::string_view each : *texts) {
            text += (text.empty() ? "\"" : ",\"") + std::string(each) + "\"";
        }
    }
    return "[" + text + "]";
}

/// The inspector's value in the same form.
std::string json(element value) {
    if (value.is_double()) {
        return fmt::format("{:.9g}", double(value));
    }
    std::string text;
    if (value.is_array()) {
        for (const element each : value.get_array()) {
            text += (text.empty() ? "" : ",") + json(each);
        }
        return "[" + text + "]";
    }
    if (value.is_object()) {
        for (const auto [key, each] : value.get_object()) {
            text += fmt::format("{}\"{}\":{}", text.empty() ? "" : ",", key, json(each));
        }
        return "{" + text + "}";
    }
    return simdjson::minify(value);
}

void expectNode(const Node& node, element expected) {
    EXPECT_EQ(node.kind->name, std::string_view(expected["op_name"]));
    EXPECT_EQ(node.number, std::uint64_t(expected["op_type"]));
    std::size_t found = 0;
    for (std::size_t i = 0; i < node.fields.size(); ++i) {
        const FieldInfo& info = node.kind->fields[i];
        auto stated = expected[info.name];
        if (stated.error() != simdjson::SUCCESS || stated.is_null()) {
            const bool isEmpty = std::holds_alternative<std::monostate>(node.fields[i]) ||
                                 fieldJson(node.fields[i], info.kind) == "[]";
            EXPECT_TRUE(isEmpty) << node.kind->name << "." << info.name;
            continue;
        }
        ++found;
        if (const auto* text = std::get_if<std::string_view>(&node.fields[i])) {
            EXPECT_EQ(*text, std::string_view(stated)) << node.kind->name << "." << info.name;
        } else {
            EXPECT_EQ(fieldJson(node.fields[i], info.kind), json(stated.value()))
                << node.kind->name << "." << info.name;
        }
    }
    constexpr std::size_t others = 3;  // instr_idx, op_type, op_name
    std::size_t nulls = 0;
    for (const auto [key, each] : expected.get_object()) {
        nulls += each.is_null() ? 1 : 0;
    }
    EXPECT_EQ(found + others + nulls, expected.get_object().size()) << node.kind->name;
}

void expectTensor(const TensorMeta& meta, element expected) {
    EXPECT_EQ(core::scalarTypeName(meta.dtype), std::string_view(expected["dtype"]));
    std::string sizes;
    for (const Dimension& dimension : meta.sizes) {
        sizes += sizes.empty() ? "" : ",";
        sizes += dimension.size >= 0 ? fmt::to_string(dimension.size)
                                     : fmt::format("[{},{}]", dimension.minimum, dimension.maximum);
    }
    EXPECT_EQ("[" + sizes + "]", json(expected["sizes"].value()));
    std::string order;
    for (const std::uint8_t each : meta.dimOrder) {
        order += (order.empty() ? "" : ",") + fmt::to_string(each);
    }
    EXPECT_EQ("[" + order + "]", json(expected["dim_order"].value()));
}

void expectSlots(const std::vector<Slot>& slots, element expected) {
    ASSERT_EQ(slots.size(), expected.get_array().size());
    for (std::size_t i = 0; i < slots.size(); ++i) {
        EXPECT_EQ(slots[i].number, std::uint64_t(expected.at(i)["idx"]));
        EXPECT_EQ(static_cast<std::int64_t>(slots[i].type), std::int64_t(expected.at(i)["slot_type"]));
    }
}

void expectPayload(const Payload& payload, element graph) {
    EXPECT_EQ(payload.version, std::string_view(graph["version"]));
    constexpr std::array<std::string_view, 5> roles{"constant", "input", "output", "mutable_buffer", "temp"};
    for (std::size_t i = 0; i < roles.size(); ++i) {
        EXPECT_EQ(payload.counts[i], std::uint64_t(graph[fmt::format("num_{}_tensors", roles[i])]))
            << roles[i];
    }
    EXPECT_EQ(payload.values, std::uint64_t(graph["num_values"]));
    EXPECT_EQ(payload.mainChain, std::uint64_t(graph["main_chain_idx"]));
    EXPECT_EQ(payload.initChain ? std::int64_t{*payload.initChain} : -1,
              std::int64_t(graph["init_chain_idx"]));
    const auto chains = graph["instruction_chains"].get_array();
    ASSERT_EQ(payload.chains.size(), chains.size());
    for (std::size_t i = 0; i < payload.chains.size(); ++i) {
        const auto nodes = chains.at(i)["instructions"].get_array();
        ASSERT_EQ(payload.chains[i].size(), nodes.size());
        for (std::size_t node = 0; node < payload.chains[i].size(); ++node) {
            expectNode(payload.chains[i][node], nodes.at(node).value());
        }
    }
    const auto names = graph["named_slots"].get_array();
    ASSERT_EQ(payload.names.size(), names.size());
    for (std::size_t i = 0; i < payload.names.size(); ++i) {
        EXPECT_EQ(payload.names[i].name, std::string_view(names.at(i)["name"]));
        EXPECT_EQ(payload.names[i].slot.number, std::uint64_t(names.at(i)["slot_idx"]));
    }
    const auto tensors = graph["tensor_meta"].get_array();
    ASSERT_EQ(payload.tensors.size(), tensors.size());
    for (std::size_t i = 0; i < payload.tensors.size(); ++i) {
        expectTensor(payload.tensors[i], tensors.at(i).value());
    }
    expectSlots(payload.inputs, graph["input_map"].value());
    expectSlots(payload.outputs, graph["output_map"].value());
    expectSlots(payload.buffers, graph["mutable_buffer_map"].value());
}

/// Every node is in the graph, and every byte of the payload is known.
void expectDescribed(const program::Program& program, const program::Delegate& delegate,
                     const Payload& payload) {
    const auto graph = describe(delegate.payload, executor::ModuleData(program, {}));
    ASSERT_TRUE(graph) << graph.error().toString();
    std::size_t nodes = 0;
    for (const Chain& chain : payload.chains) {
        nodes += chain.size();
    }
    EXPECT_EQ(graph->nodes().size(), nodes);
    EXPECT_TRUE(test::runsInOrder(*graph));
    for (const core::GraphValue& value : graph->values()) {
        EXPECT_NE(value.type, "tensor") << value.name << " has no type";
    }
    ByteCoverage coverage(delegate.payload);
    ASSERT_TRUE(readPayload(delegate.payload, &coverage));
    const PayloadBytes bytes = coverage.count();
    EXPECT_EQ(bytes.opaque, 0U);
    EXPECT_EQ(bytes.known + bytes.padding, delegate.payload.size());
    EXPECT_LT(bytes.padding, 300U);
}

class MlxRealPayloads : public testing::TestWithParam<std::string> {};

TEST_P(MlxRealPayloads, AreAsUpstreamsInspectorPrintsThem) {
    const fs::path folder = test::sharedData() / "mlx";
    const auto program = program::Program::open(folder / (GetParam() + ".pte"));
    ASSERT_TRUE(program) << program.error().toString();
    simdjson::dom::parser parser;
    std::size_t index = 0;
    for (const element each : parser.load((folder / (GetParam() + ".inspector.json")).string()).get_array()) {
        const program::Method* method = (*program)->findMethod(std::string_view(each["method"]));
        const program::Delegate& delegate = method->delegates.at(index++);
        SCOPED_TRACE(fmt::format("delegate {}", index - 1));
        const auto payload = readPayload(delegate.payload);
        ASSERT_TRUE(payload) << payload.error().toString();
        EXPECT_EQ(delegate.payload.size() - 24, std::uint64_t(each["inspector"]["flatbuffer_size"]));
        expectPayload(*payload, each["inspector"]["graph"].value());
        expectDescribed(**program, delegate, *payload);
    }
    EXPECT_GT(index, 0U);
}

std::vector<std::string> inspectedFiles() {
    std::vector<std::string> names;
    constexpr std::string_view ending = ".inspector.json";
    const fs::path folder = test::sharedData() / "mlx";
    for (const auto& entry : fs::exists(folder) ? fs::directory_iterator(folder) : fs::directory_iterator()) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(ending)) {
            names.push_back(name.substr(0, name.size() - ending.size()));
        }
    }
    std::ranges::sort(names);
    return names;
}

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(MlxRealPayloads);
INSTANTIATE_TEST_SUITE_P(Files, MlxRealPayloads, testing::ValuesIn(inspectedFiles()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace et::backends::mlx
