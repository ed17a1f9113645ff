// SPDX-License-Identifier: Apache-2.0
#include "models/arrival_times.hpp"

#include "models/arrival/arrival_process.hpp"
#include "sim/config/load.hpp"
#include "sim/registry/registry.hpp"
#include "tests/catch.hpp"
#include "tests/unit/output/scratch_folder.hpp"

#include <string>

namespace idlesim {
namespace {

using namespace std::chrono_literals;

std::vector<Duration> gaps_of(const std::string& text) {
    config::Diagnostics diagnostics;
    const auto gaps = parse_arrivals(text, "a.csv", diagnostics);
    INFO(diagnostics.render());
    REQUIRE(gaps);
    return *gaps;
}

std::string complaint(const std::string& text) {
    config::Diagnostics diagnostics;
    diagnostics.add_source("a.csv", text);
    CHECK_FALSE(parse_arrivals(text, "a.csv", diagnostics));
    return diagnostics.render();
}

}  // namespace

TEST_CASE("a column of gaps is taken as it is, in its unit", "[arrivals]") {
    CHECK(gaps_of("interarrival_us\n5\n0.25\n0\n") ==
          std::vector<Duration>{5us, 250ns, Duration::zero()});
    CHECK(gaps_of("interarrival_s\n2\n") == std::vector<Duration>{2s});
}

TEST_CASE("a column of times gives the gaps between them", "[arrivals]") {
    CHECK(gaps_of("arrival_ms\n100\n101.5\n101.5\n104\n") ==
          std::vector<Duration>{1500us, Duration::zero(), 2500us});
}

TEST_CASE("other columns, comments, empty lines and line ends of other systems are passed over",
          "[arrivals]") {
    CHECK(gaps_of("# from a load balancer\r\nid, interarrival_ns ,bytes\r\n1, 7 ,x\r\n\r\n"
                  "# later\r\n2,8,y") == std::vector<Duration>{7ns, 8ns});
}

TEST_CASE("what is wrong in a file of arrivals is reported where it stands", "[arrivals]") {
    CHECK(complaint("5\n6\n").find("a.csv:1:1: error: expected a header") == 0);
    CHECK(complaint("interarrival_us\n5\nabc\n-3\n").find("a.csv:3:1: error") == 0);
    CHECK(complaint("interarrival_us\n-3\n").find("must not be negative") != std::string::npos);
    CHECK(complaint("x,arrival_us\n1,5\n1,4\n").find("a.csv:3:3: error: earlier") == 0);
    CHECK(complaint("x,interarrival_us\n1\n").find("a.csv:2:2: error: expected a number") == 0);
    CHECK(complaint("interarrival_us\n").find("holds no arrivals") != std::string::npos);
    CHECK(complaint("interarrival_us\n0\n0\n").find("same time") != std::string::npos);
}

TEST_CASE("a process takes the gaps of its file in turn, and begins again", "[arrivals]") {
    const ScratchFolder folder;
    folder.write("a.csv", "interarrival_us\n10\n20\n");
    config::Diagnostics diagnostics;
    // Relative to the file that names it, wherever the program runs.
    config::Node node = config::load_text("{ process: csv, file: a.csv, speed: 2 }",
                                          (folder.path() / "e.yaml").string(),
                                          diagnostics);
    Choice<ArrivalProcess> choice;
    REQUIRE(config::Converter<Choice<ArrivalProcess>>::read(node, choice, diagnostics));
    const auto process = choice.make();
    RandomStream stream{1, "unused"};
    CHECK(process->next_gap(stream) == 5us);
    CHECK(process->next_gap(stream) == 10us);
    CHECK(process->next_gap(stream) == 5us);
    CHECK(process->rate() > 133'333);
    CHECK(process->rate() < 133'334);
}

TEST_CASE("a file that is not there is reported where it is named", "[arrivals]") {
    config::Diagnostics diagnostics;
    config::Node node =
        config::load_text("process: csv\nfile: nowhere.csv\n", "/tmp/e.yaml", diagnostics);
    Choice<ArrivalProcess> choice;
    CHECK_FALSE(config::Converter<Choice<ArrivalProcess>>::read(node, choice, diagnostics));
    CHECK(diagnostics.render().find(
              "/tmp/e.yaml:2:7: error: file: file '/tmp/nowhere.csv': no such file") == 0);
}

}  // namespace idlesim
