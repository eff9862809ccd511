#pragma once

#include "inspector/explain/knowledge.h"

#include <span>

// The tables, one pair a file.
namespace et::inspector::knowledge {

using enum MessageRole;
using enum Confidence;

extern const std::span<const Message> backendMessages;
extern const std::span<const Cause> backendCauses;
extern const std::span<const Message> codeMessages;
extern const std::span<const Cause> codeCauses;
extern const std::span<const Message> crashMessages;
extern const std::span<const Cause> crashCauses;
extern const std::span<const Message> executionMessages;
extern const std::span<const Cause> executionCauses;
extern const std::span<const Message> exportMessages;
extern const std::span<const Cause> exportCauses;
extern const std::span<const Message> fileMessages;
extern const std::span<const Cause> fileCauses;
extern const std::span<const Message> inputMessages;
extern const std::span<const Cause> inputCauses;
extern const std::span<const Message> kernelMessages;
extern const std::span<const Cause> kernelCauses;
extern const std::span<const Message> languageModelMessages;
extern const std::span<const Cause> languageModelCauses;
extern const std::span<const Message> memoryMessages;
extern const std::span<const Cause> memoryCauses;
extern const std::span<const Message> operatorMessages;
extern const std::span<const Cause> operatorCauses;
extern const std::span<const Message> packagingMessages;
extern const std::span<const Cause> packagingCauses;
extern const std::span<const Message> xnnpackMessages;
extern const std::span<const Cause> xnnpackCauses;

}  // namespace et::inspector::knowledge
