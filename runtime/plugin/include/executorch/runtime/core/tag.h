#pragma once

#include <executorch/runtime/core/defines.h>
#include <executorch/runtime/platform/compiler.h>

#include <cstddef>
#include <cstdint>

#undef None

namespace executorch::runtime {

#define EXECUTORCH_FORALL_TAGS(_) \
    _(None)                       \
    _(Tensor)                     \
    _(String)                     \
    _(Double)                     \
    _(Int)                        \
    _(Bool)                       \
    _(ListBool)                   \
    _(ListDouble)                 \
    _(ListInt)                    \
    _(ListTensor)                 \
    _(ListScalar)                 \
    _(ListOptionalTensor)

enum class Tag : uint32_t {
#define ET_INTERNAL_TAG(name) name,
    EXECUTORCH_FORALL_TAGS(ET_INTERNAL_TAG)
#undef ET_INTERNAL_TAG
};

inline const char* tag_to_string(Tag tag) {
    switch (tag) {
#define ET_INTERNAL_TAG(name) \
    case Tag::name:           \
        return #name;
        EXECUTORCH_FORALL_TAGS(ET_INTERNAL_TAG)
#undef ET_INTERNAL_TAG
    }
    return "Unknown";
}

}  // namespace executorch::runtime

namespace torch::executor {
using ::executorch::runtime::Tag;
}
