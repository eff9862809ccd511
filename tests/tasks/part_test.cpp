// Tests that extracted parts give the same results as in the whole program, and that unsupported parts are
// rejected with a reason.
#include "app/tasks/rewrite/part_maker.h"
#include "app/tasks/rewrite/part_run.h"
#include "bundled_program/bundle.h"
#include "etrecord/record.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/shared_data.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace et::tasks {
namespace {

using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

class Part : public testing::Test {
  protected:
    [[nodiscard]] core::Result<PartResult> take(const std::filesystem::path& model,
                                                const std::string& instructions) const {
        return takePart({.model = model,
                         .options = {},
                         .instructions = instructions,
                         .output = folder.path() / "part.bpte"});
    }
    [[nodiscard]] static std::filesystem::path program(std::string_view name) {
        return test::sharedData() / "programs" / name;
    }

    test::ScratchFolder folder;
};

TEST_F(Part, OneInstructionAfterTheOther) {
    ET_NEEDS_SHARED_DATA();
    const auto model = program("simple/portable.bpte");
    const auto all = take(model, "0..0").value();
    ASSERT_GT(all.instructions, 3U);
    for (std::size_t i = 0; i < all.instructions; ++i) {
        const auto part = take(model, std::to_string(i));
        ASSERT_TRUE(part) << i << part.error().toString();
        EXPECT_EQ(part->taken, std::vector{i});
        EXPECT_EQ(part->outputs.size(), 1U);
        const auto bundle = bundled_program::Bundle::open(folder.path() / "part.bpte").value();
        ASSERT_EQ(bundle->suites.size(), 1U);
        EXPECT_EQ(bundle->suites[0].cases.size(), part->cases);
    }
}

/// takePart() compares the part with the whole.
TEST_F(Part, OfRealProgramsWithAnyRange) {
    ET_NEEDS_SHARED_DATA();
    std::size_t taken = 0;
    std::size_t refused = 0;
    for (const char* const name :
         {"bert_tiny/xnnpack.bpte", "mobilenet_v2_small/portable.bpte", "mobilenet_v2_small/xnnpack_q8.bpte",
          "kvcache/portable.bpte", "llama_demo/kv_xnnpack.bpte", "multi_method/mixed.pte",
          "cond/portable.bpte", "map/portable.bpte", "counter/portable.bpte", "list_io/portable.bpte",
          "dyn_mlp/portable.bpte"}) {
        SCOPED_TRACE(name);
        const auto first = take(program(name), "0");
        const std::size_t count = first ? first->instructions : 8;
        for (const auto& [from, to] :
             {std::pair(0UL, count - 1), std::pair(0UL, count / 2), std::pair(count / 2, count - 1),
              std::pair(count / 3, 2 * count / 3)}) {
            const auto part = take(program(name), std::to_string(from) + ".." + std::to_string(to));
            (part ? taken : refused) += 1;
            if (!part) {
                EXPECT_THAT(part.error().toString(),
                            AnyOf(HasSubstr("jumps"), HasSubstr("goes into the range"),
                                  HasSubstr("goes out of the range"), HasSubstr("ascending instructions")))
                    << from << ".." << to;
            }
        }
    }
    EXPECT_GE(taken, 30U);
    EXPECT_LE(refused, 14U);
}

TEST_F(Part, AModuleOfTheRecord) {
    ET_NEEDS_SHARED_DATA();
    PartSettings settings{
        .model = program("simple/portable.bpte"), .options = {}, .output = folder.path() / "part.bpte"};
    settings.options.record = program("simple/portable.etrecord");
    settings.module = "stranger";
    const auto stranger = takePart(settings);
    ASSERT_FALSE(stranger);
    EXPECT_THAT(stranger.error().toString(),
                HasSubstr("no instruction belongs to module stranger; it has conv"));
    settings.module = "comv";
    EXPECT_THAT(takePart(settings).error().toString(), HasSubstr("(did you mean 'conv'?)"));
    settings.module = "conv";
    settings.options.record = program("mlp/xnnpack.etrecord");
    EXPECT_THAT(takePart(settings).error().toString(), HasSubstr("the record belongs to another program"));
    settings.module.clear();
    const auto nothing = takePart(settings);
    ASSERT_FALSE(nothing);
    EXPECT_THAT(nothing.error().message, HasSubstr("select what to extract with --instructions"));
}

/// Its instructions read sizes and positions that other instructions compute from the inputs.
TEST_F(Part, ALayerOfALanguageModel) {
    ET_NEEDS_SHARED_DATA();
    const auto models = test::sharedData() / "llm" / "models" / "tiny-a";
    for (const char* const variant :
         {"portable_fp32", "xnnpack_fp32", "xnnpack_8da4w", "xnnpack_nosdpa_t1"}) {
        for (const char* const module : {"m.layers.0", "m.layers.1", "m.layers.1.attention"}) {
            SCOPED_TRACE(fmt::format("{} {}", variant, module));
            PartSettings settings{.model = models / fmt::format("{}.bpte", variant),
                                  .options = {},
                                  .output = folder.path() / "part.bpte"};
            settings.options.record = models / fmt::format("{}.etrecord", variant);
            settings.module = module;
            const auto part = takePart(settings);
            ASSERT_TRUE(part) << part.error().toString();
            const auto isNumber = [](const PartValue& value) { return value.type == "Int"; };
            EXPECT_TRUE(std::ranges::none_of(part->inputs, isNumber));
            EXPECT_TRUE(std::ranges::none_of(part->outputs, isNumber));
        }
    }
}

/// The record contains the part's subgraph, with inputs in order, debug handles and stacks.
TEST_F(Part, HasARecordThatBelongsToIt) {
    ET_NEEDS_SHARED_DATA();
    for (const auto& [variant, instructions, nodes] :
         {std::tuple("portable", "20..30", ""), std::tuple("portable", "60..75", ""),
          std::tuple("portable", "3,7..9", ""), std::tuple("xnnpack_q8", "0", ""),
          std::tuple("xnnpack_q8", "0", "18"), std::tuple("xnnpack_q8", "0", "45")}) {
        SCOPED_TRACE(fmt::format("{} {} {}", variant, instructions, nodes));
        PartSettings settings{.model = program(fmt::format("mobilenet_v2_small/{}.bpte", variant)),
                              .options = {},
                              .instructions = instructions,
                              .nodes = nodes,
                              .output = folder.path() / "part.bpte"};
        settings.options.record = program(fmt::format("mobilenet_v2_small/{}.etrecord", variant));
        const auto part = takePart(settings);
        ASSERT_TRUE(part) << part.error().toString();
        EXPECT_EQ(part->recordProblem, "");
        ASSERT_EQ(part->record, folder.path() / "part.etrecord");
        const auto record = etrecord::Record::open(part->record).value();
        const etrecord::ExportedGraph& graph = *record->edgeGraph("forward");
        ASSERT_FALSE(graph.nodes.empty());
        EXPECT_LT(graph.nodes.size(), 400U);
        EXPECT_TRUE(std::ranges::any_of(graph.nodes,
                                        [](const etrecord::Node& node) { return !node.stackTrace.empty(); }));
        const auto& handles = record->maps("forward")->debugHandles;
        EXPECT_EQ(handles.size(), part->taken.size());
        for (const auto& [instruction, entry] : handles) {
            EXPECT_TRUE(std::ranges::any_of(
                entry.handles, [&](core::DebugHandle each) { return !graph.nodesOf(each).empty(); }));
        }
        std::vector<std::string> types;
        for (const etrecord::InputSpec& spec : graph.inputSpecs) {
            if (spec.kind == "user_input") {
                std::string sizes;
                for (const etrecord::SymInt& size : graph.tensors.at(spec.value).sizes) {
                    sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", size.value);
                }
                types.push_back(fmt::format("[{}]", sizes));
            }
        }
        ASSERT_EQ(types.size(), part->inputs.size());
        for (std::size_t i = 0; i < types.size() && std::string_view(nodes).empty(); ++i) {
            EXPECT_THAT(part->inputs[i].type, HasSubstr(types[i]));
        }
    }
}

TEST_F(Part, OnTheInputsOfTheRecord) {
    ET_NEEDS_SHARED_DATA();
    for (const char* const word : {"recorded", "example", "random"}) {
        PartSettings settings{.model = program("simple/portable.pte"),
                              .options = {},
                              .instructions = "0..1",
                              .output = folder.path() / "part.bpte"};
        settings.options.record = program("simple/portable.etrecord");
        settings.options.inputs = {word};
        const auto part = takePart(settings);
        ASSERT_TRUE(part) << word << part.error().toString();
        EXPECT_EQ(part->cases, 1U) << word;
    }
}

/// Weights in external files are included.
TEST_F(Part, HasTheWeightsOfOtherFiles) {
    ET_NEEDS_SHARED_DATA();
    const std::filesystem::path weights[] = {
        program("ext_const/portable_named.weights_a.ptd"),
        program("ext_const/portable_named.weights_b.ptd"),
        program("ext_const/conv_all._default_external_constant.ptd"),
    };
    for (const std::string_view name : {"portable_named", "conv_all"}) {
        PartSettings settings{.model = program(fmt::format("ext_const/{}.bpte", name)),
                              .options = {},
                              .instructions = "0..4",
                              .output = folder.path() / "part.bpte"};
        for (const std::filesystem::path& each : weights) {
            if (each.filename().string().starts_with(name)) {
                settings.options.tensorData.push_back(each);
            }
        }
        const auto part = takePart(settings);
        ASSERT_TRUE(part) << name << part.error().toString();
        const auto maker = PartMaker::open(settings.output, {}, 1);
        ASSERT_TRUE(maker) << name << maker.error().toString();
        EXPECT_EQ(std::ranges::count_if((*maker)->whole().values,
                                        [](const program::Value& value) {
                                            const auto* const tensor = value.as<program::TensorInfo>();
                                            return tensor != nullptr &&
                                                   tensor->initialData == program::InitialData::External;
                                        }),
                  0);
        // They shrink there, too.
        const PartChoice first{.instructions = {0}};
        const auto whole = PartMaker::open(settings.model, settings.options, 1).value();
        ASSERT_TRUE(whole->cut(first));
        ASSERT_TRUE(whole->makeInputs());
        const auto sizes = collectConstantSizes(whole->part().method);
        ASSERT_FALSE(sizes.empty()) << name;
        std::size_t smaller = 0;
        for (const std::int64_t size : sizes) {
            ASSERT_TRUE(whole->cut(first));
            ASSERT_TRUE(whole->makeInputs());
            const auto shrunk =
                whole->shrink({.inputs = {}, .constants = {{size, 1}}}, PartMaker::SizesFrom::Run);
            smaller += shrunk ? 1U : 0U;
            EXPECT_THAT(collectConstantSizes(whole->part().method), Not(testing::Contains(size)));
        }
        EXPECT_GT(smaller, 0U) << name;
    }
}

TEST_F(Part, ADelegate) {
    ET_NEEDS_SHARED_DATA();
    PartSettings settings{
        .model = program("simple/xnnpack.bpte"), .options = {}, .output = folder.path() / "part.bpte"};
    settings.delegate = 0;
    const auto part = takePart(settings);
    ASSERT_TRUE(part) << part.error().toString();
    EXPECT_EQ(part->taken.size(), 1U);
    settings.delegate = 77;
    EXPECT_THAT(takePart(settings).error().message, HasSubstr("no instruction calls delegate 77"));
}

/// takePart() compares them with the results of the whole delegate.
TEST_F(Part, OperatorsInsideOfDelegates) {
    ET_NEEDS_SHARED_DATA();
    std::size_t taken = 0;
    for (const char* const name :
         {"mobilenet_v2_small/xnnpack_q8.bpte", "mobilenet_v2_small/xnnpack.bpte", "bert_tiny/xnnpack.bpte",
          "mlp/xnnpack_8da8w.bpte", "mlp_8da4w/xnnpack.bpte", "dyn_conv/xnnpack.bpte",
          "channels_last/xnnpack.bpte", "simple/xnnpack_q8.bpte"}) {
        SCOPED_TRACE(name);
        PartSettings settings{.model = program(name), .options = {}, .output = folder.path() / "part.bpte"};
        settings.delegate = 0;
        for (std::size_t node = 0; node < 200; ++node) {
            bool isThere = false;
            for (const std::size_t more : {0U, 3U}) {
                settings.nodes = std::to_string(node) + ".." + std::to_string(node + more);
                const auto part = takePart(settings);
                taken += part ? 1U : 0U;
                isThere = isThere || part || more > 0;
                if (!part) {
                    EXPECT_THAT(part.error().toString(),
                                AnyOf(HasSubstr("of the delegate"), HasSubstr("no tensor can hold")))
                        << settings.nodes;
                    isThere = !part.error().message.contains("of the delegate");
                    break;
                }
            }
            if (!isThere) {
                break;
            }
        }
    }
    EXPECT_GE(taken, 250U);
}

/// Several delegates at once with instructions between them; takePart() compares with the whole.
TEST_F(Part, OperatorsInsideOfSeveralDelegates) {
    ET_NEEDS_SHARED_DATA();
    PartSettings settings{
        .model = program("bert_tiny/xnnpack.bpte"), .options = {}, .output = folder.path() / "part.bpte"};
    for (const auto& [instructions, nodes] :
         {std::pair("19..29", "19:5..7+29:2,8"), std::pair("7,11,19,29", "7:0+11:1,3+19:1,4..5+29:0,2,9"),
          std::pair("7..13", "11:0"), std::pair("11,13", "11:3+13:0"), std::pair("11..13", "13:1")}) {
        SCOPED_TRACE(nodes);
        settings.instructions = instructions;
        settings.nodes = nodes;
        const auto part = takePart(settings);
        ASSERT_TRUE(part) << part.error().toString();
        EXPECT_EQ(nodeChoiceText(part->nodes, part->taken), nodes);
    }
    settings.instructions = "19..29";
    settings.nodes = "20:0";
    EXPECT_THAT(takePart(settings).error().message, HasSubstr("instruction 20 does not call a delegate"));
    settings.nodes = "19:99";
    EXPECT_THAT(takePart(settings).error().message, HasSubstr("of the delegate"));
    settings.nodes = "3";
    EXPECT_THAT(takePart(settings).error().message, HasSubstr("expected INSTRUCTION:OPERATORS"));
}

TEST_F(Part, InstructionsWithGaps) {
    ET_NEEDS_SHARED_DATA();
    const auto model = program("mobilenet_v2_small/portable.bpte");
    for (const char* const list : {"0,2", "3..6,8", "10,20,30", "1,3..5,7,40..50"}) {
        const auto part = take(model, list);
        ASSERT_TRUE(part) << list << part.error().toString();
    }
    EXPECT_THAT(take(model, "5,3").error().message, HasSubstr("ascending"));
}

TEST_F(Part, RefusesARangeThatIsNone) {
    ET_NEEDS_SHARED_DATA();
    for (const char* const text : {"x", "3..", "..3", "1-2", "9999", "18446744073709551615"}) {
        EXPECT_FALSE(take(program("simple/portable.bpte"), text)) << text;
    }
}

}  // namespace
}  // namespace et::tasks
