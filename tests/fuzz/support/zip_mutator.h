#pragma once

// For targets whose input is a zip: include once, in the target itself.
#ifdef ET_LIBFUZZER

#include "tests/fuzz/support/mutate_zip.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t maxSize);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t maxSize,
                                               unsigned seed) {
    std::mt19937_64 random(seed);
    const auto mutate = [](std::string& content) {
        const std::size_t before = content.size();
        content.resize(before + 64);
        content.resize(
            LLVMFuzzerMutate(reinterpret_cast<std::uint8_t*>(content.data()), before, content.size()));
    };
    if (random() % 8 != 0) {
        const auto mutant = et::fuzz::mutateZip(std::as_bytes(std::span(data, size)), random, mutate);
        if (!mutant.empty() && mutant.size() <= maxSize) {
            std::memcpy(data, mutant.data(), mutant.size());
            return mutant.size();
        }
    }
    return LLVMFuzzerMutate(data, size, maxSize);
}

#endif
