// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace idlesim {

/// A place in a component where others may listen. A probe without listeners costs one branch.
/// Listeners are called in the order in which they connected; they must outlive the probe or
/// disconnect, and must not connect or disconnect from inside a call.
template <class... Args>
class Probe {
public:
    using Listener = void (*)(void* context, Args... args);

    void connect(Listener listener, void* context) { listeners_.push_back({listener, context}); }

    /// Connects a member function: probe.connect<&Trace::on_entry>(this).
    template <auto Method, class T>
    void connect(T* object) {
        connect([](void* context, Args... args) { (static_cast<T*>(context)->*Method)(args...); },
                object);
    }

    /// Removes every listener that was connected with this context.
    void disconnect(const void* context) {
        std::erase_if(listeners_, [context](const Entry& e) { return e.context == context; });
    }

    [[nodiscard]] bool has_listeners() const { return !listeners_.empty(); }

    void operator()(Args... args) const {
        if (listeners_.empty()) [[likely]] {
            return;
        }
        for (const Entry& entry : listeners_) {
            entry.listener(entry.context, args...);
        }
    }

private:
    struct Entry {
        Listener listener;
        void* context;
    };

    std::vector<Entry> listeners_;
};

}  // namespace idlesim
