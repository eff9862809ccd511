#include "visualizers/verify/tensor_values.h"

#include "runtime/core/scalar_type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

namespace et::visualizers {

namespace {

using bundled_program::BundledTensor;
using bundled_program::BundledValue;
using core::ScalarType;
using testing::ElementsAre;

template <class T>
std::vector<std::byte> bytesOf(const std::vector<T>& elements) {
    std::vector<std::byte> bytes(elements.size() * sizeof(T));
    std::memcpy(bytes.data(), elements.data(), bytes.size());
    return bytes;
}

BundledTensor tensor(ScalarType dtype, std::vector<std::int64_t> sizes, core::Bytes data,
                     std::vector<std::uint8_t> order) {
    return {.scalarType = static_cast<std::int8_t>(dtype),
            .sizes = std::move(sizes),
            .dimOrder = std::move(order),
            .data = data};
}

TEST(TensorValues, AreInRowMajorOrderWhateverTheDimOrder) {
    const auto data = bytesOf<float>({1, 4, 2, 5, 3, 6});
    const auto values = valuesOf(BundledValue(tensor(ScalarType::Float, {2, 3}, data, {1, 0})));
    ASSERT_TRUE(values) << values.error().toString();
    EXPECT_THAT(values->numbers, ElementsAre(1, 2, 3, 4, 5, 6));
    EXPECT_EQ(values->type, "float32 [2, 3]");
    EXPECT_FALSE(values->integral);
}

TEST(TensorValues, ReadIntegersBoolsAndSingleNumbers) {
    const auto data = bytesOf<std::int8_t>({-128, 0, 127});
    const auto values = valuesOf(BundledValue(tensor(ScalarType::Char, {3}, data, {0})));
    ASSERT_TRUE(values);
    EXPECT_THAT(values->numbers, ElementsAre(-128, 0, 127));
    EXPECT_TRUE(values->integral);
    const auto truth = bytesOf<std::uint8_t>({0, 1, 7});
    EXPECT_TRUE(valuesOf(BundledValue(tensor(ScalarType::Bool, {3}, truth, {0}))));
    EXPECT_THAT(valuesOf(BundledValue(std::int64_t{42}))->numbers, ElementsAre(42));
    EXPECT_THAT(valuesOf(BundledValue(true))->numbers, ElementsAre(1));
    EXPECT_EQ(valuesOf(BundledValue(2.5))->type, "Double");
    EXPECT_FALSE(valuesOf(BundledValue()));
}

TEST(TensorValues, ReportsEmptyAndUnreadableTensors) {
    const auto none = valuesOf(BundledValue(tensor(ScalarType::Float, {0, 4}, {}, {0, 1})));
    ASSERT_TRUE(none);
    EXPECT_TRUE(none->numbers.empty());
    const auto data = bytesOf<float>({1, 2});
    const auto complex = valuesOf(BundledValue(tensor(ScalarType::ComplexFloat, {1}, data, {0})));
    ASSERT_FALSE(complex);
    EXPECT_NE(complex.error().toString().find("complex64"), std::string::npos);
    EXPECT_FALSE(valuesOf(BundledValue(tensor(ScalarType::Float, {3}, data, {0})))) << "data do not fill it";
}

TEST(TensorValues, ATensorOfAFileHasToBeFilled) {
    inspector::HostTensor host{
        .dtype = ScalarType::Int, .sizes = {2}, .dimOrder = {}, .data = bytesOf<std::int32_t>({7, 8})};
    const auto values = valuesOf(host);
    ASSERT_TRUE(values);
    EXPECT_THAT(values->numbers, ElementsAre(7, 8));
    host.sizes = {3};
    EXPECT_FALSE(valuesOf(host));
}

TEST(TensorValues, DifferencesAreElementByElement) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const TensorValues given{
        .type = {}, .sizes = {4}, .numbers = {1, infinity, infinity, NAN}, .integral = false};
    const TensorValues expected{.type = {}, .sizes = {4}, .numbers = {3, infinity, 0, 1}, .integral = false};
    const auto errors = difference(given, expected);
    ASSERT_TRUE(errors);
    EXPECT_EQ(errors->numbers[0], -2);
    EXPECT_EQ(errors->numbers[1], 0) << "the same infinity";
    EXPECT_EQ(errors->numbers[2], infinity);
    EXPECT_TRUE(std::isnan(errors->numbers[3]));
    const TensorValues other{.type = {}, .sizes = {2, 2}, .numbers = {1, 2, 3, 4}, .integral = false};
    EXPECT_FALSE(difference(given, other)) << "sizes differ";
}

}  // namespace

}  // namespace et::visualizers
