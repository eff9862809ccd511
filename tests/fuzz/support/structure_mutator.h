#pragma once

// For targets that mutate the structure of their input: include once, in the target itself, after defining
// ET_FUZZ_MUTATE: a function (bytes, random) -> std::string, empty if the bytes do not have that structure.
#ifdef ET_LIBFUZZER

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <string>
#include <string_view>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                               unsigned seed) {
    std::mt19937_64 random(seed);
    if (random() % 8 != 0) {
        const std::string mutant = ET_FUZZ_MUTATE({reinterpret_cast<const char*>(data), size}, random);
        if (!mutant.empty() && mutant.size() <= maxSize) {
            std::memcpy(data, mutant.data(), mutant.size());
            return mutant.size();
        }
    }
    return LLVMFuzzerMutate(data, size, maxSize);
}

#endif
