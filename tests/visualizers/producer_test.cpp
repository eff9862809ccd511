#include "visualizers/verify/producer.h"

#include <gtest/gtest.h>

namespace et::visualizers {

namespace {

using program::ValueId;

/// A method with values 0 (input), 1 (intermediate), 2 and 3 (outputs), 4 (constant).
program::Method method() {
    program::Method result;
    result.name = "forward";
    result.inputs = {ValueId(0)};
    result.outputs = {ValueId(2), ValueId(3), ValueId(0), ValueId(4)};
    program::Chain chain;
    chain.instructions = {
        program::KernelCall{.op = program::OperatorId(0), .args = {ValueId(0), ValueId(1)}},
        program::DelegateCall{.delegate = program::DelegateId(0), .args = {ValueId(1), ValueId(2)}},
        program::KernelCall{.op = program::OperatorId(0), .args = {ValueId(2), ValueId(1)}},
        program::MoveCall{.from = ValueId(1), .to = ValueId(3)},
        program::FreeCall{.value = ValueId(1)},
    };
    result.chains = {chain};
    return result;
}

TEST(ProducerOf, IsTheFirstThatNamesTheOutput) {
    EXPECT_EQ(producerOf(method(), 0), (OperatorRef{"forward", core::InstructionId(1)}));
    EXPECT_EQ(producerOf(method(), 1), (OperatorRef{"forward", core::InstructionId(3)}));
}

TEST(ProducerOf, InputsAndConstantsHaveNone) {
    EXPECT_EQ(producerOf(method(), 2), std::nullopt) << "an input handed through";
    EXPECT_EQ(producerOf(method(), 3), std::nullopt);
    EXPECT_EQ(producerOf(method(), 99), std::nullopt);
}

}  // namespace

}  // namespace et::visualizers
