#include "tests/operators/families.h"

#include <array>

namespace et::test::operators {
namespace {

constexpr std::array all{
    Family{"Unary", &unaryRules},         Family{"Binary", &binaryRules},
    Family{"Dense", &denseRules},         Family{"Pooling", &poolingRules},
    Family{"Quantized", &quantizedRules}, Family{"Layout", &layoutRules},
    Family{"Indexing", &indexingRules},   Family{"Creation", &creationRules},
    Family{"View", &viewRules},           Family{"Copy", &copyRules},
    Family{"Scatter", &scatterRules},     Family{"Division", &divisionRules},
    Family{"Compare", &compareRules},     Family{"Selection", &selectionRules},
    Family{"Reduction", &reductionRules}, Family{"Moments", &momentsRules},
    Family{"Search", &searchRules},       Family{"Normalization", &normalizationRules},
    Family{"Unsigned", &unsignedRules},   Family{"Complex", &complexRules},
};

}  // namespace

std::span<const Family> families() {
    return all;
}

}  // namespace et::test::operators
