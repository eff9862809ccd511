#include "runtime/core/value.h"

#include "runtime/program/value.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <utility>
#include <vector>

namespace et {
namespace {

using core::Tensor;

static_assert(sizeof(core::Value) <= 24, "a method has thousands of values, most of them numbers");
static_assert(sizeof(program::Value) <= 32, "likewise");

TEST(ValueTest, ResettingATensorKeepsItsMemory) {
    std::array<float, 6> elements{};
    core::Value value;
    value.set(Tensor::over(elements.data(), std::array<std::int64_t, 1>{6}));
    const Tensor* const place = value.as<Tensor>();
    value.set(Tensor::over(elements.data(), std::array<std::int64_t, 2>{2, 3}));
    EXPECT_EQ(value.as<Tensor>(), place);
    EXPECT_EQ(place->dim(), 2U);
}

TEST(ValueTest, TensorMayReferToExternalMemory) {
    std::array<float, 6> elements{};
    Tensor place;
    core::Value value;
    value.setIn(&place);
    value.set(Tensor::over(elements.data(), std::array<std::int64_t, 1>{6}));
    EXPECT_EQ(value.as<Tensor>(), &place);
    EXPECT_EQ(place.numel(), 6);
    EXPECT_EQ(value.kindName(), "Tensor");

    value.set(std::int64_t{3});
    EXPECT_EQ(value.as<Tensor>(), nullptr);
    value.set(Tensor());
    EXPECT_NE(value.as<Tensor>(), &place) << "it was given up";
}

TEST(ValueTest, MovesWithItsContent) {
    core::Value list(core::DoubleListValue{{1, 2}});
    const core::Value moved = std::move(list);
    ASSERT_NE(moved.as<core::DoubleListValue>(), nullptr);
    EXPECT_EQ(moved.as<core::DoubleListValue>()->numbers.size(), 2U);
    EXPECT_EQ(moved.as<Tensor>(), nullptr);
}

TEST(ProgramValueTest, CopiesOfATensorAreTheirOwn) {
    const program::Value value = program::TensorInfo{.sizes = {2, 3}, .dimOrder = {0, 1}};
    program::Value copy = value;
    copy.as<program::TensorInfo>()->sizes[0] = 7;
    EXPECT_EQ(value.as<program::TensorInfo>()->sizes[0], 2);
    copy = value;
    EXPECT_EQ(copy.as<program::TensorInfo>()->sizes[0], 2);
    copy = std::int64_t{4};
    EXPECT_FALSE(copy.is<program::TensorInfo>());
    EXPECT_EQ(*copy.as<std::int64_t>(), 4);
}

TEST(ProgramValueTest, VisitorsSeeTheTensor) {
    program::Value value = program::TensorInfo{.sizes = {5}, .dimOrder = {0}};
    const auto dims = [](const auto& content) -> std::size_t {
        if constexpr (requires { content.dimOrder; }) {
            return content.sizes.size();
        }
        return 0;
    };
    EXPECT_EQ(value.visit(dims), 1U);
    EXPECT_EQ(program::Value(2.5).visit(dims), 0U);
    value.visit([](auto& content) {
        if constexpr (requires { content.dimOrder; }) {
            content.sizes[0] = 9;
        }
    });
    EXPECT_EQ(value.as<program::TensorInfo>()->sizes[0], 9);
}

}  // namespace
}  // namespace et
