#include "app/tasks/rewrite/value_bits.h"

#include "runtime/core/scalar_type.h"
#include "runtime/core/tensor.h"
#include "runtime/core/value.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>

namespace et::tasks {
namespace {

using core::Tensor;
using core::Value;

std::string bitsOf(Value& value) {
    std::string bits(value.kindName());
    if (const auto* const tensor = value.as<Tensor>()) {
        bits +=
            fmt::format(" {} {} ", core::scalarTypeName(tensor->dtype()), core::sizesText(tensor->sizes()));
        bits.append(reinterpret_cast<const char*>(tensor->raw()), tensor->bytes());
    } else if (const auto scalar = value.scalar()) {
        const auto append = [&bits](auto number) {
            bits.append(reinterpret_cast<const char*>(&number), sizeof(number));
        };
        if (const auto* const whole = value.as<std::int64_t>()) {
            append(*whole);
        } else if (const auto* const real = value.as<double>()) {
            append(*real);
        } else if (const auto* const truth = value.as<bool>()) {
            append(*truth);
        }
    } else if (const auto tensors = value.tensors(false)) {
        for (const Tensor* const each : *tensors) {
            bits.append(reinterpret_cast<const char*>(each->raw()), each->bytes());
        }
    }
    return bits;
}

}  // namespace

std::vector<std::string> outputBits(executor::Method& method) {
    std::vector<std::string> bits;
    for (std::size_t i = 0; i < method.outputCount(); ++i) {
        bits.push_back(bitsOf(method.output(i)));
    }
    return bits;
}

}  // namespace et::tasks
