#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace et::etrecord::detail {

/// A typed storage class of the module "torch"; excludes UntypedStorage.
struct StorageClass {
    std::string_view name;
    std::int8_t scalarType;
};
inline constexpr std::array storageClasses{
    StorageClass{"ByteStorage", 0},         StorageClass{"CharStorage", 1},
    StorageClass{"ShortStorage", 2},        StorageClass{"IntStorage", 3},
    StorageClass{"LongStorage", 4},         StorageClass{"HalfStorage", 5},
    StorageClass{"FloatStorage", 6},        StorageClass{"DoubleStorage", 7},
    StorageClass{"ComplexFloatStorage", 9}, StorageClass{"ComplexDoubleStorage", 10},
    StorageClass{"BoolStorage", 11},        StorageClass{"QInt8Storage", 12},
    StorageClass{"QUInt8Storage", 13},      StorageClass{"QInt32Storage", 14},
    StorageClass{"BFloat16Storage", 15},    StorageClass{"QUInt4x2Storage", 16},
    StorageClass{"QUInt2x4Storage", 17},
};

}  // namespace et::etrecord::detail
