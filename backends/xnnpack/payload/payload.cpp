#include "backends/xnnpack/payload/payload.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace et::backends::xnnpack {
namespace {

constexpr std::array datatypes = std::to_array<DatatypeInfo>({
    {Datatype::Fp32, "fp32", 32},
    {Datatype::Fp16, "fp16", 16},
    {Datatype::QInt8, "qint8", 8},
    {Datatype::QUInt8, "quint8", 8},
    {Datatype::QInt32, "qint32", 32},
    {Datatype::QCInt8, "qcint8", 8},
    {Datatype::QCInt32, "qcint32", 32},
    {Datatype::QCInt4, "qcint4", 4},
    {Datatype::QDInt8, "qdint8", 8},
    {Datatype::QBInt4, "qbint4", 4},
    {Datatype::QPInt8, "qpint8", 0},
    {Datatype::Int32, "int32", 32},
    {Datatype::PFp32, "pfp32", 0},
    {Datatype::BFloat16, "bf16", 16},
});

}  // namespace

const DatatypeInfo* datatypeInfo(Datatype type) {
    const auto found = std::ranges::find(datatypes, type, &DatatypeInfo::type);
    return found == datatypes.end() ? nullptr : &*found;
}

std::string datatypeName(Datatype type) {
    const DatatypeInfo* traits = datatypeInfo(type);
    return traits != nullptr ? std::string(traits->name) : fmt::format("datatype {}", static_cast<int>(type));
}

}  // namespace et::backends::xnnpack
