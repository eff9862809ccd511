#include <et_inspect/tensor.h>
#include <et_inspect/value.h>
#include <gmock/gmock.h>

#include <array>
#include <cstdint>
#include <vector>

namespace et_inspect::test {
namespace {

using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;

TEST(EmbedTensorTest, FactoriesFillTheElements) {
    const Tensor ones_of_bytes = ones({2, 2}, DType::UInt8).value();
    EXPECT_THAT(ones_of_bytes.data<std::uint8_t>(), Each(1));
    EXPECT_THAT(zeros({3}, DType::Int64)->data<std::int64_t>(), ElementsAre(0, 0, 0));
    EXPECT_THAT(full({2}, -2.5)->data<float>(), ElementsAre(-2.5F, -2.5F));
    EXPECT_THAT(make_tensor({2, 1}, std::vector<double>{1, 2})->sizes(), ElementsAre(2, 1));
    EXPECT_THAT(make_tensor(std::vector<bool>{true, false})->data<bool>(), ElementsAre(true, false));
    EXPECT_EQ(zeros({})->numel(), 1);
}

TEST(EmbedTensorTest, RandomNumbersAreReproducibleAndInRange) {
    const Tensor first = rand({1000}).value();
    const Tensor second = rand({1000}).value();
    EXPECT_TRUE(std::ranges::equal(first.data<float>(), second.data<float>()));
    EXPECT_FALSE(std::ranges::equal(first.data<float>(), rand({1000}, DType::Float32, 1)->data<float>()));
    EXPECT_THAT(first.data<float>(), Each(testing::AllOf(testing::Ge(0.0F), testing::Lt(1.0F))));
    EXPECT_THAT(randint(-2, 2, {1000})->data<std::int64_t>(),
                Each(testing::AllOf(testing::Ge(-2), testing::Lt(2))));
    EXPECT_EQ(randint(2, 2, {1}).error().code, ErrorCode::InvalidArgument);
}

TEST(EmbedTensorTest, RoundsNoHalfToOne) {
    for (const DType dtype : {DType::Float16, DType::BFloat16}) {
        EXPECT_THAT(rand({4096}, dtype)->clone(DType::Float32)->data<float>(), Each(testing::Lt(1.0F)));
    }
}

TEST(EmbedTensorTest, CopiesShareElementsAndClonesDoNot) {
    Tensor tensor = make_tensor(std::vector<float>{1, 2}).value();
    Tensor copy = tensor;
    Tensor clone = tensor.clone().value();
    copy.data<float>()[0] = 5;
    EXPECT_THAT(tensor.data<float>(), ElementsAre(5, 2));
    EXPECT_THAT(clone.data<float>(), ElementsAre(1, 2));
    EXPECT_TRUE(tensor.data<int>().empty());
}

TEST(EmbedTensorTest, ConvertsElements) {
    const Tensor tensor = make_tensor(std::vector<float>{-1.5F, 0, 3.9F}).value();
    EXPECT_THAT(tensor.clone(DType::Int32)->data<std::int32_t>(), ElementsAre(-1, 0, 3));
    EXPECT_THAT(tensor.clone(DType::Bool)->data<bool>(), ElementsAre(true, false, true));
    const Tensor large = make_tensor(std::vector<std::int64_t>{INT64_MAX}).value();
    EXPECT_THAT(large.clone(DType::UInt64)->data<std::uint64_t>(), ElementsAre(std::uint64_t{INT64_MAX}));
}

TEST(EmbedTensorTest, BlobsKeepTheirLayoutAndAreReleased) {
    std::array<float, 6> memory{1, 2, 3, 4, 5, 6};
    int released = 0;
    {
        const Tensor tensor =
            from_blob(memory.data(), {2, 3}, DType::Float32, [&](void*) { ++released; }, {1, 0}).value();
        EXPECT_THAT(tensor.strides(), ElementsAre(1, 2));
        // Row-major: the rows of a matrix that is stored by columns.
        EXPECT_THAT(tensor.clone()->data<float>(), ElementsAre(1, 3, 5, 2, 4, 6));
        EXPECT_EQ(released, 0);
    }
    EXPECT_EQ(released, 1);
    EXPECT_THAT(from_blob(memory.data(), {2, 3}, DType::Float32, {}, {0, 0}).error().message,
                HasSubstr("dim order"));
    EXPECT_EQ(from_blob(nullptr, {2}).error().code, ErrorCode::InvalidArgument);
}

TEST(EmbedTensorTest, OwnedTensorsGrow) {
    Tensor tensor = make_tensor({1, 2}, std::vector<float>{1, 2}).value();
    ASSERT_TRUE(tensor.resize({2, 2}));
    EXPECT_THAT(tensor.data<float>(), ElementsAre(1, 2, 0, 0));
    ASSERT_TRUE(tensor.resize({1}));
    EXPECT_THAT(tensor.data<float>(), ElementsAre(1));
    std::array<float, 2> memory{};
    Tensor blob = from_blob(memory.data(), {2}).value();
    EXPECT_EQ(blob.resize({3}).error().code, ErrorCode::InvalidArgument);
    EXPECT_TRUE(blob.resize({1, 1}));
}

TEST(EmbedTensorTest, RejectsInvalidShapes) {
    EXPECT_EQ(zeros({-1}).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(zeros({INT64_MAX, 8}).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(zeros({1}, static_cast<DType>(99)).error().code, ErrorCode::InvalidArgument);
    EXPECT_THAT(make_tensor({3}, std::vector<float>{1}).error().message,
                HasSubstr("expected 3 elements, got 1"));
    EXPECT_THROW(static_cast<void>(zeros({-1}).value()), std::runtime_error);
}

TEST(EmbedValueTest, ConvertsOnlyToItsKind) {
    EXPECT_EQ(Value(7).to_int().value(), 7);
    EXPECT_EQ(Value("text").to_string().value(), "text");
    EXPECT_EQ(Value(true).to_bool().value(), true);
    EXPECT_EQ(Value(0.5F).to_double().value(), 0.5);
    EXPECT_THAT(Value(7).to_tensor().error().message, HasSubstr("expected a tensor, got an integer"));
    EXPECT_EQ(Value(zeros({-1})).to_tensor().error().code, ErrorCode::InvalidArgument);
    EXPECT_TRUE(Value().is_none());
}

}  // namespace
}  // namespace et_inspect::test
