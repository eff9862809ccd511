#include "runtime/kernels/reduction/element_access.h"

#include "runtime/kernels/half_conversion.h"

#include <complex>

namespace et::kernels::reduction {
namespace {

template <class Reduced>
void roundTo(float* elements, std::size_t count) {
    std::array<Reduced, blockSize> rounded;
    floatsTo(elements, rounded.data(), count);
    floatsFrom(rounded.data(), elements, count);
}

}  // namespace

template <class Compute>
core::Result<ElementReader<Compute>> ElementReader<Compute>::make(const Tensor& tensor, ScalarType through) {
    ElementReader reader;
    reader.memory = tensor.raw();
    reader.width = static_cast<std::int64_t>(tensor.elementSize());
    reader.convert = elementLoader<Compute>(tensor.dtype());
    if (reader.convert == nullptr) {
        return unsupportedType(tensor.dtype());
    }
    if constexpr (std::is_same_v<Compute, float>) {
        if (through != tensor.dtype() && core::isReducedFloat(through)) {
            reader.rounding = through == ScalarType::Half ? &roundTo<core::Half> : &roundTo<core::BFloat16>;
        }
    }
    if constexpr (std::is_same_v<Compute, std::int64_t>) {
        if (through == ScalarType::Bool && tensor.dtype() != ScalarType::Bool) {
            return unsupportedType(tensor.dtype());  // 0.5 is true, but becomes 0 as an integer
        }
    }
    reader.inPlace = tensor.dtype() == core::scalarTypeOf<Compute> && reader.rounding == nullptr;
    return reader;
}

core::Result<TruthReader> TruthReader::make(const Tensor& tensor) {
    TruthReader reader;
    reader.memory = tensor.raw();
    reader.width = static_cast<std::int64_t>(tensor.elementSize());
    ET_ASSIGN(reader.conversion, Conversion::between(tensor.dtype(), ScalarType::Bool));
    return reader;
}

template <class Compute>
core::Result<ElementWriter<Compute>> ElementWriter<Compute>::make(Tensor& tensor) {
    ElementWriter writer;
    writer.memory = tensor.raw();
    writer.width = static_cast<std::int64_t>(tensor.elementSize());
    writer.inPlace = tensor.dtype() == core::scalarTypeOf<Compute>;
    writer.convert = elementStorer<Compute>(tensor.dtype());
    if (writer.convert == nullptr) {
        return unsupportedType(tensor.dtype());
    }
    return writer;
}

template class ElementReader<float>;
template class ElementReader<double>;
template class ElementReader<std::int64_t>;
template class ElementReader<std::complex<double>>;
template class ElementWriter<float>;
template class ElementWriter<double>;
template class ElementWriter<std::int64_t>;
template class ElementWriter<std::complex<double>>;

}  // namespace et::kernels::reduction
