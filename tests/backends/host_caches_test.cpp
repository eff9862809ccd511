// Tests of KV caches that MLX payloads leave to their host: sizes are computed from the nodes.
#include "backends/mlx/host_caches.h"

#include "backends/mlx/payload.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace et::test {
namespace {

using backends::mlx::Field;
using backends::mlx::Item;
using backends::mlx::Node;
using backends::mlx::Payload;

Item tensor(std::uint32_t number) {
    return {.kind = Item::Kind::Tensor, .number = number};
}
Item whole(std::int64_t number) {
    return {.kind = Item::Kind::Int, .whole = number};
}
Item computed(std::uint32_t number) {
    return {.kind = Item::Kind::Value, .number = number};
}

/// A node of a kind, with fields by name.
Node node(std::string_view kind, std::vector<std::pair<std::string_view, Field>> fields) {
    Node made;
    for (std::size_t number = 1; number <= backends::mlx::nodeKindCount(); ++number) {
        const auto* known = backends::mlx::nodeKind(static_cast<std::uint8_t>(number));
        if (known->name == kind) {
            made.kind = known;
            made.number = static_cast<std::uint8_t>(number);
        }
    }
    EXPECT_NE(made.kind, nullptr) << kind;
    for (const backends::mlx::FieldInfo& info : made.kind->fields) {
        Field field;
        for (auto& [name, content] : fields) {
            field = name == info.name ? content : field;
        }
        made.fields.push_back(std::move(field));
    }
    return made;
}

/// Tensors: 0 the hidden values float16 [1, 1..6, 32], 1 the positions [1..6], 2 and 3 weights of 16 and 64
/// outputs; the others are temporary.
Payload payload(std::vector<Node> nodes) {
    Payload made;
    made.counts = {2, 2, 0, 0, 20};
    made.values = 1;
    made.valueNumbers = 1;
    made.tensors = {{.dtype = 5,
                     .sizes = {{.size = 1}, {.size = -1, .minimum = 1, .maximum = 6}, {.size = 32}},
                     .dimOrder = {}},
                    {.dtype = 4, .sizes = {{.size = -1, .minimum = 1, .maximum = 6}}, .dimOrder = {}},
                    {.dtype = 5, .sizes = {{.size = 32}, {.size = 16}}, .dimOrder = {}},
                    {.dtype = 5, .sizes = {{.size = 32}, {.size = 64}}, .dimOrder = {}}};
    made.chains.push_back(std::move(nodes));
    return made;
}

Node reshape(std::uint32_t from, std::uint32_t to, std::vector<Item> shape) {
    return node("ReshapeNode", {{"x", tensor(from)}, {"out", tensor(to)}, {"shape", std::move(shape)}});
}
Node headsFirst(std::uint32_t from, std::uint32_t to) {
    return node("TransposeNode", {{"x", tensor(from)},
                                  {"out", tensor(to)},
                                  {"perm", std::vector{whole(0), whole(2), whole(1), whole(3)}}});
}
Node product(std::uint32_t from, std::uint32_t weights, std::uint32_t to) {
    return node("AddmmNode", {{"mat1", tensor(from)}, {"mat2", tensor(weights)}, {"out", tensor(to)}});
}
Node attend(std::uint32_t key, std::uint32_t value, std::int64_t layer) {
    return node("UpdateAndAttendNode", {{"q", tensor(key)},
                                        {"k", tensor(key)},
                                        {"v", tensor(value)},
                                        {"position", tensor(1)},
                                        {"out", tensor(23)},
                                        {"layer_id", whole(layer)}});
}

TEST(MlxHostCaches, FollowShapesThroughTheNodes) {
    const auto caches = backends::mlx::hostCaches(payload({
        node("SymSizeNode", {{"a", tensor(1)}, {"dim", whole(0)}, {"out", computed(0)}}),
        product(0, 2, 4),
        reshape(4, 5, {whole(1), computed(0), whole(2), whole(8)}),
        headsFirst(5, 6),
        product(0, 3, 7),
        reshape(7, 8, {whole(1), computed(0), whole(-1), whole(32)}),
        headsFirst(8, 9),
        attend(6, 9, 3),
    }));
    ASSERT_EQ(caches.size(), 1U);
    EXPECT_EQ(caches[0], (core::KvCacheLayer{.layer = 3,
                                             .batch = 1,
                                             .heads = 2,
                                             .keySize = 8,
                                             .valueSize = 32,
                                             .dtype = core::ScalarType::Half,
                                             .maxStep = 6}));
}

TEST(MlxHostCaches, FollowRotatedKeys) {
    const auto half = [](std::uint32_t from, std::uint32_t to, std::int64_t start) {
        return node("SliceNode", {{"x", tensor(from)},
                                  {"out", tensor(to)},
                                  {"axis", whole(3)},
                                  {"start", whole(start)},
                                  {"stop", whole(start == 0 ? 4 : 9223372036854775807)},
                                  {"step", whole(1)}});
    };
    const auto caches = backends::mlx::hostCaches(payload({
        product(0, 2, 4),
        reshape(4, 5, {whole(1), whole(6), whole(2), whole(8)}),
        headsFirst(5, 6),
        half(6, 7, 4),
        half(6, 8, 0),
        node("ConcatenateNode",
             {{"tensors", std::vector{tensor(7), tensor(8)}}, {"out", tensor(9)}, {"axis", whole(-1)}}),
        node("AddNode", {{"a", tensor(6)}, {"b", tensor(9)}, {"out", tensor(10)}}),
        node("AsTypeNode", {{"x", tensor(10)},
                            {"out", tensor(11)},
                            {"scalar_type", Item{.kind = Item::Kind::Dtype, .whole = 15}}}),
        attend(11, 11, 0),
        attend(11, 11, 1),
    }));
    ASSERT_EQ(caches.size(), 2U);
    EXPECT_EQ(caches[0].keySize, 8);
    EXPECT_EQ(caches[0].dtype, core::ScalarType::BFloat16);
    EXPECT_EQ(caches[1].layer, 1);
    EXPECT_EQ(caches[0].bytesPerPosition(), 2U * 2 * 8 * 2);
}

TEST(MlxHostCaches, SizesThatNodesDoNotDetermineAreUnknown) {
    const auto caches = backends::mlx::hostCaches(payload({
        node("GatherNode", {{"x", tensor(0)}, {"out", tensor(6)}}),
        attend(6, 6, 0),
    }));
    ASSERT_EQ(caches.size(), 1U);
    EXPECT_EQ(caches[0].heads, 0);
    EXPECT_EQ(caches[0].bytesPerPosition(), 0U);
    EXPECT_EQ(caches[0].maxStep, 6) << "of the positions";
}

}  // namespace
}  // namespace et::test
