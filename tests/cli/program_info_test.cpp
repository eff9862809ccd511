// Tests of info on programs: mutable buffers, constants, and summaries of long lists.
#include "app/output/info/artifact_info.h"
#include "app/output/info/summed.h"
#include "runtime/builder/program_builder.h"
#include "tests/support/parse_bytes.h"
#include "tests/support/shared_data.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string_view>

namespace et::output {
namespace {

const Cell& find(const Dict& info, std::string_view key) {
    static const Cell nothing;
    const auto found = std::ranges::find(info, key, &Dict::value_type::first);
    EXPECT_NE(found, info.end()) << key;
    return found == info.end() ? nothing : found->second;
}

std::uint64_t number(const Dict& info, std::string_view key) {
    return std::get<std::uint64_t>(find(info, key));
}

Dict methodOf(const program::Program& program, std::size_t method = 0) {
    return std::get<Dict>(std::get<List>(find(programInfo(program), "methods"))[method]);
}

TEST(ProgramInfoTest, CountsConstantsThatAreSharedOnce) {
    builder::ProgramBuilder program;
    builder::MethodBuilder& method = program.method("forward");
    const std::array<float, 4> weights{1, 2, 3, 4};
    const auto in = method.input({.sizes = {4}});
    const auto one = method.constant<float>({.sizes = {4}}, weights);
    const auto other = method.alias(one, {.sizes = {4}});
    const auto out = method.intermediate({.sizes = {4}});
    method.call("aten::add.out", {one, other}, {out});
    method.output(in);
    const auto parsed = test::parseBytes<program::Program>(*program.finish()).value();
    const Dict info = methodOf(*parsed);
    EXPECT_EQ(number(info, "constants"), 2U);
    EXPECT_EQ(number(info, "constant_bytes"), 16U);
}

TEST(ProgramInfoTest, CountsTheCachesOfLanguageModels) {
    ET_NEEDS_SHARED_DATA();
    for (const char* name : {"xnnpack_fp32", "xnnpack_8da4w", "portable_fp32"}) {
        const auto program =
            program::Program::open(test::sharedData() / "llm/models/tiny-a" / (std::string(name) + ".pte"))
                .value();
        for (std::size_t i = 0; i < program->methods.size(); ++i) {
            if (program->methods[i].name == "forward") {
                const Dict info = methodOf(*program, i);
                EXPECT_EQ(number(info, "mutable_tensors"), 4U) << name << ": keys and values of two layers";
                EXPECT_EQ(number(info, "mutable_bytes"), 4U * 128 * 2 * 16 * sizeof(float)) << name;
            }
        }
    }
}

TEST(SummedTest, NamesKindsInsteadOfEach) {
    List delegates;
    List blobs;
    for (std::uint64_t i = 0; i < 6; ++i) {
        delegates.emplace_back(Dict{{"delegate", i},
                                    {"backend", std::string(i < 4 ? "A" : "B")},
                                    {"bytes", std::uint64_t{10}},
                                    {"calls", std::uint64_t{1}}});
        blobs.emplace_back(Dict{{"name", "5e3f" + std::to_string(i)}, {"bytes", std::uint64_t{100}}});
    }
    const Dict few{{"delegates", List(delegates.begin(), delegates.begin() + 2)}};
    EXPECT_EQ(summed(few), few) << "read at a glance";
    const Dict info = summed({{"method", Dict{{"delegates", delegates}}}, {"named_data", blobs}});
    const auto& rows = std::get<List>(find(std::get<Dict>(find(info, "method")), "delegates_by_backend"));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(std::get<Dict>(rows[0]), (Dict{{"backend", std::string("A")},
                                             {"count", std::uint64_t{4}},
                                             {"bytes", std::uint64_t{40}},
                                             {"calls", std::uint64_t{4}}}));
    EXPECT_EQ(std::get<Dict>(find(info, "named_data")),
              (Dict{{"count", std::uint64_t{6}}, {"bytes", std::uint64_t{600}}}));
}

TEST(SummedTest, MergesSimilarLayersIntoOneLine) {
    List tensors;
    for (const char* name : {"layers.0.wq.weight", "layers.1.wq.weight", "layers.2.wq.weight",
                             "layers.0.norm", "layers.1.norm", "layers.2.norm"}) {
        tensors.emplace_back(Dict{{"name", std::string(name)}, {"bytes", std::uint64_t{8}}});
    }
    const Dict info = summed({{"external_tensors", tensors}});
    const auto& rows = std::get<List>(find(info, "external_tensors_by_name"));
    ASSERT_EQ(rows.size(), 2U);
    EXPECT_EQ(std::get<Dict>(rows[0]), (Dict{{"name", std::string("layers.*.wq.weight")},
                                             {"count", std::uint64_t{3}},
                                             {"bytes", std::uint64_t{24}}}));
    List others;
    for (const char* name : {"a", "b", "c", "d", "e", "f"}) {
        others.emplace_back(Dict{{"name", std::string(name)}, {"bytes", std::uint64_t{8}}});
    }
    const Dict named{{"tensors", others}};
    EXPECT_EQ(summed(named), named) << "names of their own";
}

}  // namespace
}  // namespace et::output
