// SPDX-License-Identifier: Apache-2.0
#include "sim/experiment/governor_verify.hpp"

#include "models/governor/explanation.hpp"
#include "models/idle_table/idle_table.hpp"
#include "sim/registry/registry.hpp"

#include <algorithm>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace idlesim {
namespace {

/// A CPU that is in whatever situation the present row describes.
class RecordedCpu final : public GovernorEnvironment {
public:
    explicit RecordedCpu(const GovernorVectorHead& head)
        : table_{head.states}, tick_{head.tick}, capacity_{head.cpu_capacity} {
        for (std::size_t i = 0; i < head.states.size(); ++i) {
            row_.disabled |= head.states[i].disabled ? StateMask{1} << i : 0;
        }
    }

    [[nodiscard]] Nanoseconds tick() const override { return tick_; }

    [[nodiscard]] std::int64_t cpu_capacity() const override { return capacity_; }

    [[nodiscard]] Nanoseconds now() const override { return now_; }

    [[nodiscard]] Nanoseconds latency_limit() const override { return row_.latency_limit; }

    [[nodiscard]] StateMask disabled_states() const override { return row_.disabled; }

    [[nodiscard]] bool tick_stopped() const override { return row_.tick_stopped; }

    [[nodiscard]] Nanoseconds last_residency() const override { return last_residency_; }

    [[nodiscard]] std::int64_t io_waiters() const override { return row_.io_waiters; }

    [[nodiscard]] std::int64_t utilisation() const override { return row_.utilisation; }

    [[nodiscard]] SleepLength query_sleep_length() override {
        queried_ = true;
        return row_.sleep;
    }

    [[nodiscard]] bool take_tick_wakeup() override { return std::exchange(tick_wakeup_, false); }

    [[nodiscard]] bool poll_limit_hit() const override { return poll_limit_hit_; }

    void clear_poll_limit_hit() override { poll_limit_hit_ = false; }

    [[nodiscard]] Nanoseconds poll_limit() const override { return poll_limit_; }

    void set_poll_limit(Nanoseconds limit) override { poll_limit_ = limit; }

    [[nodiscard]] bool queried() const { return queried_; }

    void begin(const GovernorVector& row) {
        if (row.disabled != row_.disabled) {
            // A write to a `disable` file forgets the limit.
            poll_limit_ = 0;
        }
        row_ = row;
        queried_ = false;
        // Each row has a clock of its own, so that no sum can overflow.
        now_ = 0;
    }

    void reject() { last_residency_ = 0; }

    /// The recorded idle period passes.
    void enter() {
        if (table_.polls(row_.decision.state)) {
            if (poll_limit_ == 0) {
                poll_limit_ = default_poll_limit(table_, row_.disabled, tick_);
            }
            poll_limit_hit_ = row_.poll_limit_hit;
        }
        now_ = row_.residency;
        last_residency_ = row_.residency;
        // Only reading clears the flag.
        tick_wakeup_ = tick_wakeup_ || row_.tick_wakeup;
    }

private:
    IdleTable table_;
    Nanoseconds tick_;
    std::int64_t capacity_;
    GovernorVector row_;
    Nanoseconds now_ = 0;
    Nanoseconds last_residency_ = 0;
    Nanoseconds poll_limit_ = 0;
    bool queried_ = false;
    bool tick_wakeup_ = false;
    bool poll_limit_hit_ = false;
};

bool equal(const GovernorVectorHead& head,
           const GovernorVector& row,
           const IdleDecision& decision,
           bool queried) {
    return decision.state == row.decision.state && decision.stop_tick == row.decision.stop_tick &&
           queried == row.queried &&
           (!head.has_predictions || decision.predicted == row.decision.predicted);
}

std::unique_ptr<Governor> enabled_governor(const GovernorVectorReader& reader, RecordedCpu& cpu) {
    auto governor = Registry<Governor>::choice(reader.head().governor).make();
    try {
        governor->enable(reader.head().states, cpu);
    } catch (const GovernorError& error) {
        reader.fail(error.what());
    }
    return governor;
}

/// Explains the decision in `explained_step`; explaining all of them would cost most of the time.
GovernorVerdict drive(const std::string& path, std::int64_t explained_step) {
    GovernorVectorReader reader{path};
    GovernorVerdict verdict{reader.head(), 0, std::nullopt};
    RecordedCpu cpu{reader.head()};
    const auto governor = enabled_governor(reader, cpu);
    GovernorVector row;
    while (reader.next(row)) {
        cpu.begin(row);
        Explanation explanation;
        const IdleDecision decision =
            governor->select(cpu, row.step == explained_step ? &explanation : nullptr);
        if (!equal(reader.head(), row, decision, cpu.queried())) {
            verdict.difference = GovernorDifference{reader.line_number(),
                                                    reader.column_names(),
                                                    std::string{reader.line()},
                                                    row,
                                                    decision,
                                                    cpu.queried(),
                                                    explanation.lines()};
            return verdict;
        }
        ++verdict.equal;
        if (!row.was_entered()) {
            cpu.reject();
            continue;
        }
        cpu.enter();
        governor->reflect(row.decision.state, cpu);
    }
    return verdict;
}

std::string to_text(const GovernorVectorHead& head, const IdleDecision& decision, bool queried) {
    std::string text =
        fmt::format("state {} ({}), {}, {}",
                    decision.state,
                    head.states[static_cast<std::size_t>(decision.state)].name,
                    decision.stop_tick ? "tick may stop" : "tick goes on",
                    queried ? "asked for the sleep length" : "did not ask for the sleep length");
    if (head.has_predictions) {
        text += fmt::format(", predicted {} ns", decision.predicted);
    }
    return text;
}

/// "name=value" of each column of the row.
std::string inputs_text(const GovernorDifference& difference) {
    std::string text;
    std::string_view names = difference.column_names;
    std::string_view values = difference.line;
    const auto take = [](std::string_view& rest) {
        const std::string_view field = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(field.size() + 1, rest.size()));
        return field;
    };
    while (!names.empty()) {
        const std::string_view name = take(names);
        const std::string_view value = take(values);
        if (!name.starts_with("expected_") && name != "queried_sleep_length") {
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", name, value);
        }
    }
    return text;
}

}  // namespace

GovernorVerdict verify_governor(const std::string& path) {
    constexpr std::int64_t kNoStep = -1;
    GovernorVerdict verdict = drive(path, kNoStep);
    if (verdict.difference) {
        verdict = drive(path, verdict.difference->recorded.step);
    }
    return verdict;
}

std::string to_text(const GovernorVerdict& verdict, const std::string& path) {
    const GovernorVectorHead& head = verdict.head;
    if (!verdict.difference) {
        return fmt::format(
            "{}: all {} decisions of {} are equal\n", path, verdict.equal, head.governor);
    }
    const GovernorDifference& difference = *verdict.difference;
    std::string text = fmt::format(
        "{}:{}: {} decides otherwise in step {}; the {} decisions before are equal\n"
        "  inputs:   {}\n"
        "  expected: {}\n"
        "  got:      {}\n",
        path,
        difference.line_number,
        head.governor,
        difference.recorded.step,
        verdict.equal,
        inputs_text(difference),
        to_text(head, difference.recorded.decision, difference.recorded.queried),
        to_text(head, difference.decision, difference.queried));
    for (const std::string& line : difference.explanation) {
        text += fmt::format("    {}\n", line);
    }
    return text;
}

}  // namespace idlesim
