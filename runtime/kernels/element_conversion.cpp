#include "runtime/kernels/element_conversion.h"

#include "runtime/core/element_types.h"
#include "runtime/kernels/kernel_context.h"

#include <algorithm>
#include <cstring>

namespace et::kernels {

using core::ScalarType;

template <ComputeType T>
core::Result<Conversion> Conversion::through(ScalarType from, ScalarType to) {
    const detail::ComputeAs<T> way{.load = elementLoader<T>(from),
                                   .store = elementStorer<T>(to),
                                   .fromWidth = static_cast<std::int64_t>(core::elementBytes(from)),
                                   .toWidth = static_cast<std::int64_t>(core::elementBytes(to)),
                                   .fromIsT = from == core::scalarTypeOf<T>,
                                   .toIsT = to == core::scalarTypeOf<T>};
    if (way.load == nullptr || way.store == nullptr) {
        return unsupportedType(way.load == nullptr ? from : to);
    }
    Conversion conversion;
    conversion.way = way;
    return conversion;
}

core::Result<Conversion> Conversion::between(ScalarType from, ScalarType to) {
    // Conversions to float are direct, so they round once. Conversions from float to integer go through
    // double, which represents every float exactly. Integers keep their bits in int64.
    if (to == ScalarType::Float || core::isReducedFloat(to)) {
        return through<float>(from, to);
    }
    if (core::isFloating(from) || core::isFloating(to)) {
        return through<double>(from, to);
    }
    return through<std::int64_t>(from, to);
}

template <ComputeType T>
void detail::ComputeAs<T>::run(const std::byte* from, std::int64_t fromStep, std::byte* to,
                               std::int64_t toStep, std::int64_t count) const {
    const std::int64_t fromStride = fromStep / fromWidth;
    const std::int64_t toStride = toStep / toWidth;
    if (fromIsT && fromStride == 1) {
        store(reinterpret_cast<const T*>(from), to, toStride, static_cast<std::size_t>(count));
        return;
    }
    if (toIsT && toStride == 1) {
        load(from, fromStride, reinterpret_cast<T*>(to), static_cast<std::size_t>(count));
        return;
    }
    constexpr std::int64_t piece = 256;
    std::array<T, piece> middle;
    for (std::int64_t done = 0; done < count; done += piece) {
        const auto length = static_cast<std::size_t>(std::min(piece, count - done));
        load(from + done * fromStep, fromStride, middle.data(), length);
        store(middle.data(), to + done * toStep, toStride, length);
    }
}

void Conversion::run(const std::byte* from, std::int64_t fromStep, std::byte* to, std::int64_t toStep,
                     std::int64_t count) const {
    std::visit([&](const auto& through) { through.run(from, fromStep, to, toStep, count); }, way);
}

core::Result<ElementBytes> elementOf(ScalarType type, core::Scalar number) {
    ElementBytes element{};
    const auto put = [&]<class T>(std::type_identity<T>) {
        const T value = number.to<T>();
        std::memcpy(element.data(), &value, sizeof value);
        return true;
    };
    // The imaginary part is already 0.
    const bool known = type == ScalarType::ComplexHalf    ? put(std::type_identity<core::Half>{})
                       : type == ScalarType::ComplexFloat ? put(std::type_identity<float>{})
                       : type == ScalarType::ComplexDouble
                           ? put(std::type_identity<double>{})
                           : core::visitRealType(type, put, [] { return false; });
    if (!known) {
        return unsupportedType(type);
    }
    return element;
}

}  // namespace et::kernels
