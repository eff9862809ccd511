// Tests of parts cut out of a method that reads numbers computed at run time.
#include "inspector/memory/program_range.h"

#include "runtime/builder/method_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

namespace et::inspector {
namespace {

using builder::MethodBuilder;
using program::ValueId;
using testing::ElementsAre;
using testing::IsEmpty;

/// A language model's start position: read from a tensor, used with its successor by a slice.
struct Sliced {
    Sliced() {
        position = builder.input({.dtype = core::ScalarType::Long, .sizes = {1}});
        const ValueId table = builder.input({.sizes = {8}});
        sum = builder.intermediate({.sizes = {8}});
        result = builder.intermediate({.sizes = {1}});
        start = builder.integer(0);
        end = builder.integer(0);
        builder.callFunction("aten::_local_scalar_dense", {position}, start);            // 0
        builder.call("aten::add.out", {table, table, 1}, {sum});                         // 1
        builder.callFunction("executorch_prim::add.Scalar", {start, 1}, end);            // 2
        builder.call("aten::slice_copy.Tensor_out", {sum, 0, start, end, 1}, {result});  // 3
        builder.output(result);
    }
    program::Method finish() { return builder.finish().value(); }

    MethodBuilder builder{"forward"};
    ValueId position, sum, result, start, end;
};

TEST(ProgramRange, InstructionsThatComputeNumbersAreFound) {
    Sliced given;
    const program::Method method = given.finish();
    EXPECT_THAT(numberProducers(method, std::vector<std::size_t>{3}).value(), ElementsAre(0, 2));
    EXPECT_THAT(numberProducers(method, std::vector<std::size_t>{0, 2, 3}).value(), IsEmpty());
    EXPECT_THAT(numberProducers(method, std::vector<std::size_t>{1}).value(), IsEmpty());
    EXPECT_FALSE(numberProducers(method, std::vector<std::size_t>{9}));
}

TEST(ProgramRange, APartWithThemHasOnlyTensorInputs) {
    Sliced given;
    const auto part = cutInstructions(given.finish(), std::vector<std::size_t>{0, 2, 3}).value();
    EXPECT_THAT(part.inputs, ElementsAre(given.position, given.sum));
    EXPECT_THAT(part.outputs, ElementsAre(given.result));
}

TEST(ProgramRange, NumbersAreOutputsOnlyOfPartsWithoutTensors) {
    Sliced given;
    const program::Method method = given.finish();
    EXPECT_THAT(cutInstructions(method, std::vector<std::size_t>{0, 1}).value().outputs,
                ElementsAre(given.sum));
    EXPECT_THAT(cutInstructions(method, std::vector<std::size_t>{0}).value().outputs,
                ElementsAre(given.start));
}

/// A jump may lead over instructions between the parts, but not over some of the part.
TEST(ProgramRange, AJumpMayStayInARunOfAPartWithGaps) {
    MethodBuilder builder("forward");
    const ValueId in = builder.input({.sizes = {4}});
    const ValueId flag = builder.input({.dtype = core::ScalarType::Bool, .sizes = {1}});
    const ValueId first = builder.intermediate({.sizes = {4}});
    const ValueId second = builder.intermediate({.sizes = {4}});
    const ValueId truth = builder.boolean(false);
    builder.callFunction("aten::_local_scalar_dense", {flag}, truth);  // 0
    builder.call("aten::add.out", {in, in, 1}, {first});               // 1
    const auto jump = builder.jumpFalse(truth);                        // 2
    builder.call("aten::mul.out", {first, first}, {second});           // 3
    builder.setDestination(jump, builder.nextInstruction());
    builder.call("aten::add.out", {first, first, 1}, {second});  // 4
    builder.output(second);
    const program::Method method = builder.finish().value();

    const auto part = cutInstructions(method, std::vector<std::size_t>{0, 2, 3, 4});
    ASSERT_TRUE(part) << part.error().toString();
    const auto& instructions = part->method.chains.front().instructions;
    EXPECT_EQ(std::get<program::JumpFalseCall>(instructions[1]).destination.value, 3);
    EXPECT_FALSE(cutInstructions(method, std::vector<std::size_t>{0, 3}));
    EXPECT_TRUE(cutInstructions(method, std::vector<std::size_t>{1, 4}));
}

}  // namespace
}  // namespace et::inspector
