#include "inspector/explain/knowledge/tables.h"

#include <array>

namespace et::inspector {

std::span<const std::span<const Message>> knownMessages() {
    using namespace knowledge;  // NOLINT(google-build-using-namespace): the tables
    static const std::array all{backendMessages, codeMessages,          crashMessages,    executionMessages,
                                exportMessages,  fileMessages,          inputMessages,    kernelMessages,
                                memoryMessages,  languageModelMessages, operatorMessages, packagingMessages,
                                xnnpackMessages};
    return all;
}

std::span<const std::span<const Cause>> knownCauses() {
    using namespace knowledge;  // NOLINT(google-build-using-namespace): the tables
    static const std::array all{backendCauses, codeCauses,          crashCauses,    executionCauses,
                                exportCauses,  fileCauses,          inputCauses,    kernelCauses,
                                memoryCauses,  languageModelCauses, operatorCauses, packagingCauses,
                                xnnpackCauses};
    return all;
}

}  // namespace et::inspector
