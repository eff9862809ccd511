#include "backends/xnnpack/payload/payload.h"

#include "backends/xnnpack/format/read_payload.h"
#include "tests/backends/xnnpack/real_payloads.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>

#include <map>
#include <random>
#include <string>

namespace et::backends::xnnpack {
namespace {

std::string textOf(core::Bytes bytes) {
    const auto payload = readPayload(bytes);
    return payload ? "" : payload.error().toString();
}

TEST(PayloadTest, EveryRealPayloadIsRead) {
    ET_NEEDS_SHARED_DATA();
    std::size_t payloads = 0;
    std::map<std::string_view, std::size_t> kinds;
    for (const char* folder : {"ops/xnnpack", "programs"}) {
        test::forEachXnnpackPayload(
            folder, [&](const auto& path, const auto&, const program::Delegate& delegate) {
                if (path.filename().string().contains("per_channel_multi_axis_2")) {
                    EXPECT_THAT(textOf(delegate.payload),
                                testing::AnyOf("", testing::HasSubstr("before it is written")));
                    return;
                }
                const auto payload = readPayload(delegate.payload);
                ASSERT_TRUE(payload) << path << ": " << payload.error().toString();
                ++payloads;
                for (const PayloadNode& node : payload->nodes) {
                    ++kinds[node.traits->name];
                }
            });
    }
    EXPECT_GT(payloads, 700U);
    EXPECT_GT(kinds["XNNConv2d"], 100U);
    EXPECT_GT(kinds["XNNCopy"], 0U);
    EXPECT_GT(kinds["XNNCos"], 0U);
}

TEST(PayloadTest, ASmallPayloadIsReadAsWritten) {
    ET_NEEDS_SHARED_DATA();
    test::forEachXnnpackPayload(
        "programs/linear", [&](const auto& path, const auto&, const program::Delegate& delegate) {
            if (path.filename() != "xnnpack.bpte") {
                return;
            }
            const auto payload = readPayload(delegate.payload);
            ASSERT_TRUE(payload);
            ASSERT_EQ(payload->nodes.size(), 1U);
            const PayloadNode& node = payload->nodes[0];
            EXPECT_EQ(node.traits->kind, NodeKind::FullyConnected);
            EXPECT_NE(node.debugHandle, noDebugHandle);
            ASSERT_EQ(node.inputs.size(), 3U);
            EXPECT_EQ(payload->externals, (std::vector{node.inputs[0], node.outputs[0]}));
            EXPECT_EQ(payload->value(node.inputs[1]).sizes.size(), 2U);
            EXPECT_NE(payload->value(node.inputs[1]).constant, 0U);
            EXPECT_EQ(payload->value(node.inputs[1]).datatype, Datatype::Fp32);
        });
}

TEST(PayloadTest, DamageGivesAnError) {
    ET_NEEDS_SHARED_DATA();
    std::mt19937_64 random(1);
    std::size_t refused = 0;
    test::forEachXnnpackPayload(
        "programs/mobilenet_v2_small", [&](const auto&, const auto&, const program::Delegate& delegate) {
            for (int i = 0; i < 300; ++i) {
                std::vector<std::byte> bytes(delegate.payload.begin(), delegate.payload.end());
                for (int change = 0; change < 4; ++change) {
                    bytes[random() % bytes.size()] = static_cast<std::byte>(random());
                }
                refused += textOf(bytes).empty() ? 0 : 1;
                refused += textOf(core::Bytes(bytes).first(random() % bytes.size())).empty() ? 0 : 1;
            }
        });
    EXPECT_GT(refused, 300U);
}

TEST(PayloadTest, ErrorsNameTheProblem) {
    EXPECT_THAT(textOf({}), testing::HasSubstr("expected at least 8 bytes"));
    const std::vector<std::byte> zeros(64);
    EXPECT_THAT(textOf(zeros), testing::HasSubstr("expected \"XN01\""));
}

}  // namespace
}  // namespace et::backends::xnnpack
