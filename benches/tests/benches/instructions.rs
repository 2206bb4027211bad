use std::collections::HashMap;
use std::path::Path;

use ecs_benches::instructions::{Counts, Special, specials, sum};

#[test]
fn branches_and_shifts_are_distinguished_from_other_instructions() {
    let disassembly = "\n0000000000001a20 <main>:\n    1a20:\tshl    rax,0x3\n    \
                       1a24:\tjmp    1a30\n    1a26:\tjne    1a20\n    1a28:\tmov    rax,rdx\n";
    let expected = [(0x1a20, Special::Shift), (0x1a26, Special::Branch)];
    assert_eq!(specials(disassembly), HashMap::from(expected));
}

#[test]
fn what_a_call_includes_is_not_counted_twice() {
    let profile = "events: Ir\n\nob=/a\nfn=main\n0x10 3\n0x12 2\ncalls=2 0x20\n0x12 500\n\
                   ob=/lib\nfn=malloc\n0x10 7\ntotals: 12\n";
    let specials = HashMap::from([(0x10, Special::Shift), (0x12, Special::Branch)]);
    let counts = sum(profile, Path::new("/a"), &specials);
    let (instructions, branches, shifts) = (12, 2, 3);
    assert_eq!(
        counts,
        Counts {
            instructions,
            branches,
            shifts
        }
    );
}
