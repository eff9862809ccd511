#pragma once

// For targets whose input is JSON: include once, in the target itself.
#ifdef ET_LIBFUZZER

#include "tests/fuzz/support/mutate_json.h"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                               unsigned seed) {
    std::mt19937_64 random(seed);
    if (random() % 4 != 0) {
        const std::string mutant = et::fuzz::mutateJson({reinterpret_cast<const char*>(data), size}, random);
        if (!mutant.empty() && mutant.size() <= maxSize) {
            std::memcpy(data, mutant.data(), mutant.size());
            return mutant.size();
        }
    }
    return LLVMFuzzerMutate(data, size, maxSize);
}

#endif
