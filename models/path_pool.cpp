// SPDX-License-Identifier: Apache-2.0
#include "models/path_pool.hpp"

namespace idlesim {

PathPool::PathPool(Machine& machine, std::size_t paths) : machine_{machine}, paths_(paths) {
    for (Attribution& path : paths_) {
        free_.push_back(&path);
    }
}

Attribution* PathPool::take() {
    std::erase_if(under_way_, [this](Attribution* path) { return detach(*path); });
    if (free_.empty()) {
        return nullptr;
    }
    Attribution* path = free_.back();
    free_.pop_back();
    return path;
}

// What no CPU has is on the fabric, and will come to one.
void PathPool::give_back(Attribution& path) {
    if (!detach(path)) {
        under_way_.push_back(&path);
    }
}

bool PathPool::detach(Attribution& path) {
    for (const int number : machine_.cpu_numbers()) {
        LogicalCpu& cpu = machine_.cpu(number);
        if (cpu.carries(path)) {
            cpu.detach(path);
            free_.push_back(&path);
            return true;
        }
    }
    return false;
}

}  // namespace idlesim
