#include "runtime/kernels/type_promotion.h"
#include "tests/kernels/kernel_call.h"

#include <gmock/gmock.h>

#include <functional>
#include <limits>
#include <string_view>
#include <utility>
#include <vector>

// Tests scalars that a dtype cannot represent and results in other dtypes: whatever PyTorch rejects is
// rejected.
namespace et::test {
namespace {

using core::Scalar;
using core::ScalarType;
using testing::HasSubstr;

/// Calls an operator on ones with the scalar as one argument.
struct ScalarCall {
    std::string_view name;
    std::function<void(KernelCall&, const Scalar&)> arguments;
};

void addNumber(KernelCall& call, const Scalar& number) {
    call.add(number.isInt() ? core::Value::Kind(number.to<std::int64_t>())
                            : core::Value::Kind(number.to<double>()));
}

template <class T>
void ones(KernelCall& call) {
    call.tensor<T>({2}, {T(1), T(1)});
}

template <class T>
std::vector<ScalarCall> scalarCalls() {
    using Call = KernelCall;
    return {
        {"aten::add.out",
         [](Call& c, const Scalar& n) { ones<T>(c), ones<T>(c), addNumber(c, n), c.emptyTensor<T>({2}); }},
        {"aten::add.Scalar_out",
         [](Call& c, const Scalar& n) {
             ones<T>(c), c.add(std::int64_t{1}), addNumber(c, n), c.emptyTensor<T>({2});
         }},
        {"aten::clamp.out",
         [](Call& c, const Scalar& n) { ones<T>(c), addNumber(c, n), c.none(), c.emptyTensor<T>({2}); }},
        {"aten::clamp.out",
         [](Call& c, const Scalar& n) { ones<T>(c), c.none(), addNumber(c, n), c.emptyTensor<T>({2}); }},
        {"aten::constant_pad_nd.out",
         [](Call& c, const Scalar& n) {
             ones<T>(c), c.ints({1, 0}), addNumber(c, n), c.emptyTensor<T>({3});
         }},
        {"aten::fill.Scalar_out",
         [](Call& c, const Scalar& n) { ones<T>(c), addNumber(c, n), c.emptyTensor<T>({2}); }},
        {"aten::full.out",
         [](Call& c, const Scalar& n) { c.ints({2}), addNumber(c, n), c.emptyTensor<T>({2}); }},
        {"aten::full_like.out",
         [](Call& c, const Scalar& n) { ones<T>(c), addNumber(c, n), c.none(), c.emptyTensor<T>({2}); }},
        {"aten::scalar_tensor.out", [](Call& c, const Scalar& n) { addNumber(c, n), c.emptyTensor<T>({}); }},
        {"aten::scatter.value_out",
         [](Call& c, const Scalar& n) {
             ones<T>(c), c.add(std::int64_t{0}), c.tensor<std::int64_t>({1}, {1}), addNumber(c, n),
                 c.emptyTensor<T>({2});
         }},
        {"aten::hardtanh.out",
         [](Call& c, const Scalar& n) {
             ones<T>(c), c.add(std::int64_t{0}), addNumber(c, n), c.emptyTensor<T>({2});
         }},
        {"aten::masked_fill.Scalar_out",
         [](Call& c, const Scalar& n) {
             ones<T>(c), c.emptyTensor<bool>({2}), addNumber(c, n), c.emptyTensor<T>({2});
         }},
    };
}

/// Checks that every operator accepts scalars that fit and rejects those that do not.
template <class T>
void checkRange(const Scalar& fitting, const Scalar& beyond) {
    for (const ScalarCall& each : scalarCalls<T>()) {
        SCOPED_TRACE(each.name);
        KernelCall good;
        each.arguments(good, fitting);
        EXPECT_EQ(errorOf(good, each.name), "no error");
        KernelCall bad;
        each.arguments(bad, beyond);
        EXPECT_THAT(errorOf(bad, each.name), HasSubstr("can hold, got"));
    }
}

TEST(ScalarRange, OfIntegers) {
    checkRange<std::uint8_t>(std::int64_t{255}, std::int64_t{256});
    checkRange<std::int8_t>(std::int64_t{127}, std::int64_t{-129});
    checkRange<std::int16_t>(std::int64_t{32767}, std::int64_t{32768});
    checkRange<std::int32_t>(std::int64_t{INT32_MAX}, std::int64_t{INT32_MIN} - 1);
}

TEST(ScalarRange, OfFloats) {
    constexpr double beyond = 3.41e38;
    checkRange<float>(std::numeric_limits<double>::infinity(), beyond);
    checkRange<float>(std::numeric_limits<double>::quiet_NaN(), -beyond);
}

TEST(ScalarRange, IsThatOfPyTorch) {
    using kernels::fits;
    // For uint8, negative numbers are taken modulo 256 if their magnitude fits.
    EXPECT_TRUE(fits(ScalarType::Byte, std::int64_t{-255}));
    EXPECT_FALSE(fits(ScalarType::Byte, std::int64_t{-256}));
    EXPECT_FALSE(fits(ScalarType::Byte, 256.0));
    EXPECT_FALSE(fits(ScalarType::Byte, -1.0));
    EXPECT_FALSE(fits(ScalarType::Int, std::numeric_limits<double>::quiet_NaN()));
    EXPECT_FALSE(fits(ScalarType::Int, std::numeric_limits<double>::infinity()));
    EXPECT_FALSE(fits(ScalarType::Long, 9223372036854775808.0));
    EXPECT_TRUE(fits(ScalarType::Long, -9223372036854775808.0));
    EXPECT_TRUE(fits(ScalarType::Half, 65504.0));
    EXPECT_FALSE(fits(ScalarType::Half, 65505.0));
    EXPECT_FALSE(fits(ScalarType::Half, std::int64_t{1} << 17));
    EXPECT_TRUE(fits(ScalarType::BFloat16, 3.38e38));
    EXPECT_FALSE(fits(ScalarType::BFloat16, 3.4e38));
    EXPECT_TRUE(fits(ScalarType::Float, std::numeric_limits<double>::infinity()));
    EXPECT_TRUE(fits(ScalarType::Double, 3.41e38));
    EXPECT_TRUE(fits(ScalarType::Bool, std::int64_t{2}));
}

TEST(ScalarRange, SlopesOfLeakyRelu) {
    for (const double slope : {3.41e38, -3.41e38}) {
        KernelCall call;
        ones<float>(call), call.add(slope), call.emptyTensor<float>({2});
        EXPECT_THAT(errorOf(call, "aten::leaky_relu.out"), HasSubstr("negative_slope"));
    }
}

TEST(OutDtype, IsNotConvertedByTheseOperators) {
    const std::vector<std::pair<std::string_view, std::function<void(KernelCall&)>>> calls{
        {"aten::elu.out",
         [](KernelCall& c) {
             ones<float>(c), c.add(1.0), c.add(1.0), c.add(1.0), c.emptyTensor<double>({2});
         }},
        {"aten::gelu.out",
         [](KernelCall& c) { ones<float>(c), c.add(std::string_view("none")), c.emptyTensor<double>({2}); }},
        {"aten::fill.Scalar_out",
         [](KernelCall& c) { ones<float>(c), c.add(1.0), c.emptyTensor<double>({2}); }},
        {"aten::masked_fill.Scalar_out",
         [](KernelCall& c) {
             ones<float>(c), c.emptyTensor<bool>({2}), c.add(1.0), c.emptyTensor<double>({2});
         }},
        {"aten::rsub.Scalar_out",
         [](KernelCall& c) { ones<float>(c), c.add(1.0), c.add(1.0), c.emptyTensor<double>({2}); }},
        {"aten::_conj_physical.out", [](KernelCall& c) { ones<float>(c), c.emptyTensor<double>({2}); }},
        {"aten::isinf.out", [](KernelCall& c) { ones<float>(c), c.emptyTensor<std::int32_t>({2}); }},
        {"aten::isnan.out", [](KernelCall& c) { ones<float>(c), c.emptyTensor<std::int32_t>({2}); }},
    };
    for (const auto& [name, arguments] : calls) {
        KernelCall call;
        arguments(call);
        EXPECT_THAT(errorOf(call, name), HasSubstr("expected a result of")) << name;
    }
}

TEST(OutDtype, RoundIsNotDefinedForBool) {
    KernelCall call;
    call.emptyTensor<bool>({2}), call.emptyTensor<bool>({2});
    EXPECT_THAT(errorOf(call, "aten::round.out"), HasSubstr("bool"));
}

}  // namespace
}  // namespace et::test
